// rafter-new: the template of a workload.
#include <fmt/format.h>

#include "base/process.hpp"
#include "cli/tool.hpp"
#include "workbench/family/new_workload.hpp"

using namespace rafter;

namespace {

constexpr const char* next =
    R"({0}: a workload with two rungs for each device, as a template; {0}/README.md describes its files
Next:    rafter run --load {1}                  build it, verify and time its rungs
         rafter run --load {1} --device simt    its CUDA rungs on the executor, under checkers
)";

int new_workload(const cli::NewWorkloadOptions& options) {
  const std::string folder = options.folder.empty() ? options.name : options.folder;
  family::write_workload(folder, options.name, family::package_folder());
  fmt::print(next, folder, base::shell_quoted({folder}));
  return cli::exit_good;
}

}  // namespace

int main(int argc, char** argv) {
  return cli::tool(argc, argv,
                   cli::Performer{[](const cli::NewWorkloadOptions& options) { return new_workload(options); }});
}
