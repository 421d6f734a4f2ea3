#include "cli/bench/told.hpp"

namespace rafter::cli {

namespace fs = std::filesystem;

journal::Event event_of(const BenchOptions& options) {
  journal::Event event{.words = options.words};
  for (const fs::path word : options.build) {
    const std::string ending = word.extension().string();
    const bool is_source = ending == ".cu" || ending == ".cuh" || ending == ".cpp" || ending == ".cc" || ending == ".h";
    std::error_code error;
    if (is_source && fs::is_regular_file(word, error)) event.sources.push_back(word);
  }
  if (options.kernels.size() == 1) event.rung = options.kernels.front();  // not the reference, were it faster
  return event;
}

}  // namespace rafter::cli
