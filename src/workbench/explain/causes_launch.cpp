// Causes in the shape of the launch.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "workbench/explain/causes.hpp"

namespace rafter::explain {

namespace {

std::optional<Finding> uneven(const Question& q) {
  const double at_once = q.gpu.n_sms * std::max(1.0, double(q.held.blocks)), blocks = q.facts.blocks;
  const double worth = q.worth(Spread::even);
  if (blocks < q.gpu.n_sms) {
    Finding made = finding_of(Cause::few_blocks);
    made.worth = worth;
    made.sentence = fmt::format("Too few blocks limit it: {:.0f} for {} multiprocessors, so {:.0f} of them are idle",
                                blocks, q.gpu.n_sms, q.gpu.n_sms - blocks);
    return made;
  }
  const bool waits = q.now.longest() == Part::latency;
  if (waits && blocks <= at_once) {
    const double warps = std::ceil(blocks / q.gpu.n_sms) * q.facts.warps_per_block();
    Finding made = finding_of(Cause::few_threads);
    made.worth = worth;
    made.sentence = fmt::format(
        "Too few threads limit it: {:.0f} of the {} warps that a multiprocessor can hold, too few to "
        "hide latency",
        warps, q.gpu.threads_per_sm / 32);
    return made;
  }
  Finding made = finding_of(Cause::tail_wave);
  made.worth = worth;
  const double waves = blocks / at_once;
  made.sentence =
      waits || waves > 1
          ? fmt::format(
                "The last wave limits it: {:.0f} blocks, {:.0f} at once, make {:.2f} waves, and the last one "
                "takes as long as a full one",
                blocks, at_once, waves)
          : fmt::format(
                "The last wave limits it: {:.0f} blocks on {} multiprocessors, so some have {:.0f} and "
                "others one less",
                blocks, q.gpu.n_sms, std::ceil(blocks / q.gpu.n_sms));
  return made;
}

std::optional<Finding> many_blocks(const Question& q) {
  if (q.now.longest() != Part::starts) return std::nullopt;
  Finding made = finding_of(Cause::many_blocks);
  Estimate without = q.now;
  without.starts_ns = 0;
  made.worth = q.now.work_ns() / std::max(without.work_ns(), 1.0);
  made.sentence = fmt::format(
      "Starting its blocks limits it: {:.0f} of them, one per {:.2g} ns, while their work would take {:.3g} us",
      q.facts.blocks, q.gpu.block_ns, without.work_ns() / 1e3);
  return made;
}

std::optional<Finding> launch(const Question& q) {
  Finding made = finding_of(Cause::launch);
  made.worth = q.now.total_ns() / std::max(q.now.work_ns(), 1.0);
  made.sentence =
      fmt::format("The launch itself limits it: about {:.2g} us of work after about {:.2g} us of launch overhead",
                  q.now.work_ns() / 1e3, q.now.launch_ns / 1e3);
  if (q.facts.launches > 1) made.sentence += fmt::format(", {:.0f} times", q.facts.launches);
  return made;
}

}  // namespace

std::vector<CauseCheck> launch_causes() { return {uneven, many_blocks, launch}; }

}  // namespace rafter::explain
