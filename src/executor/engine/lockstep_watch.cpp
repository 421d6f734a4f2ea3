#include "executor/engine/lockstep_watch.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "executor/engine/workers/worker.hpp"
#include "executor/process/findings.hpp"

namespace rafter::simt {

namespace {

constexpr std::uint64_t scramble = 0x9e3779b97f4a7c15;

}  // namespace

std::uint64_t warp_phase(const Block& block, unsigned warp) {
  const std::uint32_t n_meetings = block.is_prepared ? block.warps[warp].n_completed : 0;
  std::uint64_t phase = static_cast<std::uint64_t>(block.linear) * 32 + warp + 1;
  phase = phase * scramble + block.n_barriers;
  return phase * scramble + n_meetings;
}

bool LockstepWatch::is_watching(Worker& worker) {
  if (const std::uint64_t launch = worker.progress().launch(); launch_ != launch) {
    launch_ = launch;
    const bool is_first = findings().kernel(current_kernel()).launches <= 1;
    left_ = is_first && !options().in_step ? accesses_per_launch : 0;
    if (left_ > 0) {
      words_.assign(n_words, {});
      lanes_.assign(32, {});
    }
  }
  return left_ > 0 && rafter_simt_now.loop < 2;
}

LockstepWatch::Lane& LockstepWatch::running_lane(Worker& worker) {
  const unsigned thread = rafter_simt_now.linear;
  Lane& lane = lanes_[thread % 32];
  const std::uint64_t phase = warp_phase(worker.block(), thread / 32);
  if (lane.phase != phase) {
    lane.phase = phase;
    lane.synchronises = lane.sleeps = false;
    lane.n_places = 0;
    lane.late = {};
  }
  return lane;
}

LockstepWatch::Word& LockstepWatch::word_at(const void* address, std::uint64_t phase) {
  const std::uint64_t bits = reinterpret_cast<std::uintptr_t>(address) * scramble;
  Word& word = words_[bits >> 54];
  if (word.address != address || word.phase != phase) word = {.address = address, .phase = phase};
  return word;
}

LockstepWatch::Visit* LockstepWatch::visit_of(Lane& lane, const void* place) {
  Visit* const end = lane.visits.data() + lane.n_places;
  Visit* const found = std::find_if(lane.visits.data(), end, [&](const Visit& one) { return one.place == place; });
  return found == end ? nullptr : found;
}

void LockstepWatch::synchronised(Worker& worker) {
  if (is_watching(worker)) running_lane(worker).synchronises = true;
}

void LockstepWatch::sleeps(Worker& worker) {
  if (is_watching(worker)) running_lane(worker).sleeps = true;
}

void LockstepWatch::access(Worker& worker, const void* address, bool writes, const void* place) {
  if (!is_watching(worker) || worker.fibers().holds(address)) return;  // lanes do not share local variables
  --left_;
  ++time_;
  const unsigned number = rafter_simt_now.linear % 32;
  Lane& lane = running_lane(worker);
  Word& word = word_at(address, lane.phase);
  Visit* visit = visit_of(lane, place);
  if (!visit && lane.n_places == n_visits) return;
  if (!visit) {
    lane.visits[lane.n_places++] = {place, time_};
    if (writes && !lane.synchronises) check_store(worker.block(), word, number, place);
    if (!writes && !lane.synchronises) check_read(word, number, place);
  }
  if (writes) {
    word.store = {place, time_, number};
    return;
  }
  Access& last = word.readings[0];
  const bool again = last.place == place && last.lane == number;
  if (last.place && last.lane != number) word.readings[1] = last;
  last = {place, time_, number, again};
  word.read_by |= 1u << number;
  if (again) lane.late = {};
}

/// Returns whether the lane executed an access at `place` before `time`, since the barrier that began the phase.
bool LockstepWatch::has_passed(Lane& lane, std::uint64_t phase, const void* place, std::uint32_t time) {
  const Visit* visit = visit_of(lane, place);
  return lane.phase == phase && visit && visit->time < time;
}

// Another lane stored to the word after it had passed this read. It is too late for the read if this lane goes on to
// execute the same store for another word. (Lanes that take turns store to the same word.)
void LockstepWatch::check_read(const Word& word, unsigned number, const void* place) {
  const Access& store = word.store;
  if (!store.place || store.lane == number || !(word.read_by >> store.lane & 1)) return;
  if (has_passed(lanes_[store.lane], word.phase, place, store.time)) lanes_[number].late = {word.address, place, store};
}

// A lane that read the word before had passed this store by then, and this lane executes the store only now.
void LockstepWatch::check_store(const Block& block, const Word& word, unsigned number, const void* place) {
  const unsigned first = rafter_simt_now.linear / 32 * 32;
  const LateRead late = std::exchange(lanes_[number].late, {});
  if (late.place && late.store.place == place && late.word != word.address) {
    report(block.side("stores to a word", first + late.store.lane, place),
           block.side("reads that word afterwards", first + number, late.place), "read");
  }
  for (const Access& reading : word.readings) {
    if (!reading.place || reading.lane == number || reading.is_repeated || lanes_[reading.lane].sleeps) continue;
    if (!has_passed(lanes_[reading.lane], word.phase, place, reading.time)) continue;
    report(block.side("reads a word", first + reading.lane, reading.place),
           block.side("stores to that word afterwards", first + number, place), "store");
  }
}

// Once for each kernel.
void LockstepWatch::report(const Side& first, const Side& second, const char* lockstep) {
  if (left_ == 0) return;
  left_ = 0;
  findings().add({.kind = Kind::lockstep,
                  .kernel = current_kernel(),
                  .sides = {first, second},
                  .target = std::nullopt,
                  .detail = std::string("in lockstep the warp would ") + lockstep +
                            " first, but its lanes need not run in lockstep: add __syncwarp\n"
                            "    --lockstep shows the results of lanes in lockstep",
                  .is_note = true});
}

}  // namespace rafter::simt
