#include "cli/bench/told.hpp"

namespace rafter::cli {

journal::Event event_of(const BenchOptions& options) {
  journal::Event event{.sources = journal::sources_in(options.build), .words = options.words};
  if (options.kernels.size() == 1) event.rung = options.kernels.front();  // not the reference, were it faster
  return event;
}

}  // namespace rafter::cli
