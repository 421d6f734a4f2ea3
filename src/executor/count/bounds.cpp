#include "executor/count/bounds.hpp"

#include <algorithm>

#include "executor/engine/block.hpp"
#include "executor/engine/current_thread.hpp"
#include "executor/memory/memory.hpp"
#include "executor/process/findings.hpp"

namespace rafter::simt {
namespace {

void report(const Access& access, Space space, const char* detail) {
  const std::string kernel = current_kernel();
  if (findings().count_again(Kind::out_of_bounds, kernel, access.place)) return;
  Side side = current_side(access.writes ? "writes" : "reads", access.place);
  side.bytes = access.bytes;
  findings().add({Kind::out_of_bounds, space, kernel, {side}, std::nullopt, detail});
}

}  // namespace

bool Bounds::holds(const std::byte* address, std::uint32_t bytes) {
  const auto end = known_.begin() + static_cast<std::ptrdiff_t>(n_known_);
  if (std::any_of(known_.begin(), end, [&](const Extent& e) { return e.holds(address, bytes); })) return true;
  const Allocation* found = memory().find(address);
  if (!found || !found->live) return false;
  const Extent extent{found->base, found->bytes};
  n_known_ = std::min(n_known_ + 1, known_.size());
  known_[next_++ % n_known_] = extent;
  return extent.holds(address, bytes);
}

bool is_near_dynamic_shared(const std::byte* address) {
  const auto* base = static_cast<const std::byte*>(rafter_simt_now.dynamic_shared);
  return static_cast<std::size_t>(address - base) < rafter_simt_now.shared_bytes + shared_redzone_bytes;
}

void report_outside_global(const Access& access) {
  report(access, Space::global,
         "outside of every allocation, so its counts mean nothing; run rafter check for details");
}

void report_outside_dynamic_shared(const Access& access) {
  report(access, Space::shared,
         rafter_simt_now.shared_bytes == 0 ? no_dynamic_shared : "past the end of the launch's dynamic shared memory");
}

}  // namespace rafter::simt
