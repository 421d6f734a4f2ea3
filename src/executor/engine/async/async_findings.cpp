#include "executor/engine/async/async_findings.hpp"

#include <utility>

#include "executor/engine/current_thread.hpp"
#include "executor/process/findings.hpp"
#include "executor/process/observer.hpp"
#include "executor/process/options.hpp"

namespace rafter::simt {
namespace {

void add(Kind kind, Side side, std::string detail) {
  findings().add({kind, Space::none, current_kernel(), {std::move(side)}, std::nullopt, std::move(detail)});
}

std::string describe(const Mbarrier& barrier) {
  const Observer* observer = observing();
  const auto target = observer ? observer->shared_variable(in_place_address(barrier.at)) : std::nullopt;
  if (!target) return "the mbarrier";
  return "the mbarrier at offset " + std::to_string(target->offset) + " of " + target->what;
}

}  // namespace

std::string stuck_mbarriers(const Block& block) {
  std::string text;
  for (const auto& [at, barrier] : block.async.mbarriers) {
    if (barrier.n_waiting() == 0) continue;
    text += "\n    " + describe(barrier) + ", which " + std::to_string(barrier.n_waiting()) +
            " threads wait for: phase " + std::to_string(barrier.phase) + " has " +
            std::to_string(barrier.count - barrier.pending) + " of " + std::to_string(barrier.count) + " arrivals";
    if (barrier.bytes_missing > 0)
      text += " and lacks " + std::to_string(barrier.bytes_missing) + " of the bytes it expects";
  }
  return text;
}

void report_mbarrier(Kind kind, const Mbarrier& barrier, const char* action, const void* place,
                     const std::string& detail) {
  add(kind, current_side(action, place), describe(barrier) + ": " + detail);
}

void report_no_mbarrier(const void* place) {
  add(Kind::uninitialised, current_side("uses an mbarrier", place), "there is no initialised mbarrier at this address");
}

void end_copies(Block& block) {
  AsyncState& state = block.async;
  if (!state.is_used) return;
  const auto report = [&](const AsyncCopy& copy, const char* detail) {
    add(Kind::copy_in_flight, block.side("starts a copy", copy.thread, copy.place), detail);
  };
  for (const auto& [at, barrier] : state.mbarriers) {
    for (const AsyncCopy& copy : barrier.in_flight)
      report(copy, "the block ended before a thread waited for the copy into its shared memory");
  }
  for (auto& [thread, groups] : state.groups[static_cast<std::size_t>(rafter_simt::GroupKind::bulk)]) {
    groups.closed.push_back(std::move(groups.open));
    for (AsyncCopy& copy : groups.closed) {
      if (copy.is_moved || copy.ranges.empty()) continue;
      report(copy, "the block ended before a thread waited until the copy had read its shared memory");
      copy.move();
    }
  }
}

void report_bad_copy(const void* place, const std::string& detail) {
  add(Kind::misaligned, current_side("starts a copy", place), detail);
}

void report_wgmma(const void* place, const char* action, const char* detail) {
  add(Kind::wgmma, current_side(action, place), detail);
}

void report_too_old(const char* what, const void* place) {
  const int capability = options().capability;
  add(Kind::trap, current_side("is stopped", place),
      std::string(what) + " need compute capability 9.0; this device has " + std::to_string(capability / 10) + "." +
          std::to_string(capability % 10));
}

}  // namespace rafter::simt
