#include "cli/run/commands.hpp"

#include <fmt/format.h>

#include "cli/signing.hpp"
#include "workbench/tune/ops.hpp"

namespace rafter::cli {

int run(const RunOptions& options, const Catalogue& catalogue, const session::Plotter* plotter) {
  const session::RunOutputs outputs{.json_path = options.json_path,
                                    .csv_path = options.csv_path,
                                    .plot_path = options.plot_path,
                                    .event = {.words = options.words},
                                    .load = options.load};
  const std::string& file = options.continued.empty() ? options.json_path : options.continued;
  return signing(options.sign_key, file, [&] {
    if (!options.continued.empty())
      return session::resume(options.continued, options.request, outputs, catalogue.workloads, catalogue.sources,
                             plotter);
    const session::RunPlan plan = session::make_plan(options.request, catalogue.workloads);
    return session::run(plan, outputs, catalogue.sources, plotter);
  });
}

int tune_ops(const TuneOptions& options, const Workloads& workloads) {
  if (options.bench.is_untrusted)
    throw Error(ErrorCode::bad_argument, "--untrusted is for a kernel of a file: name it with --kernel NAME");
  if (!options.parameters.empty())
    throw Error(ErrorCode::bad_argument, "--param is for a kernel of your own: rafter tune FILE.cu --kernel NAME ...");
  for (const auto& [option, is_given] : {std::pair{"--cache", !options.cache_path.empty()},
                                         {"--t4", !options.t4_path.empty()},
                                         {"--strategy local", options.strategy != "halving"},
                                         {"--objective energy", options.objective != "time"}}) {
    if (is_given)
      throw Error(ErrorCode::bad_argument, fmt::format("{} is for a kernel of your own, with --param", option));
  }
  const std::vector<std::string>& named = options.bench.kernels.build;
  if (named.empty() && options.load.empty() && !options.check)
    throw Error(ErrorCode::bad_argument, "nothing to tune was given: WORKLOAD..., FILE.cu, or --check for all ops");
  return tune::tune_ops({.workloads = named,
                         .check = options.check,
                         .keep = options.keep,
                         .quick = options.bench.quick,
                         .words = options.bench.words},
                        workloads);
}

Perform run_commands(const Catalogue& catalogue) {
  return Performer{
      [catalogue](const RunOptions& options) { return run(options, catalogue); },
      [catalogue](const ListOptions& options) { return list(options, catalogue.workloads); },
      [catalogue](const ShowOptions& options) { return show(options, catalogue); },
      [](const DeviceOptions& options) { return device(options); },
      [catalogue](const TuneOptions& options) { return tune_ops(options, catalogue.workloads); },
  };
}

}  // namespace rafter::cli
