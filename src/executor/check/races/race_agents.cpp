// Races of agents, that is, asynchronous copies. An agent is ordered after everything that its starting thread is
// ordered after, and before the threads that wait for its completion.
#include <algorithm>

#include "executor/check/races/race_checker.hpp"
#include "executor/engine/workers/worker.hpp"

namespace rafter::simt {

// In an agent's segment, `warp` is its number and `time` the warp that started it.
std::uint32_t RaceChecker::agent_began() {
  if (is_shared_) this_worker()->abort_speculation();
  set_simple(false);
  const unsigned thread = rafter_simt_now.linear;
  const std::uint32_t segment = next_segment();
  add_segment({static_cast<std::uint32_t>(block_->linear) | Segment::of_agents, n_agents_++, 0, thread / 32});
  return segment << 5 | thread % 32;
}

void RaceChecker::agent_completed(const Agent& agent, const void* where) {
  const Record record{agent.number, 0};
  const Segment& segment = segment_of(record);
  release_log_.release_agent(where, {segment.block, segment.warp * 32 + record.lane(), 0, ~0u, {}});
}

// A copy that only its own thread waits for: after the wait, its accesses count as accesses of that thread now.
void RaceChecker::agent_joined(const Agent& agent, const Access& access, const Found& found) {
  Shadow& shadow = *found.shadow;
  const std::uint32_t accessor = accessor_id();
  const SegmentRange valid = valid_from(found.first_segment);
  const auto join = [&](Cell& cell) {
    if (cell.write.accessor == agent.number) cell.write.accessor = accessor;
    readers_.replace(cell, agent.number, accessor);
  };
  const std::size_t first = shadow.word(found.address);
  const std::size_t last = shadow.word(found.address + access.bytes - 1);
  for (std::size_t word = first; word <= last; ++word) {
    Cell cell = shadow.cells.load(word, valid);
    join(cell);
    shadow.cells.store(word, cell, valid);
    if (cell.more_reads.accessor != Cell::split) continue;
    const auto [bytes, begin] = shadow.byte_cells.of(word);
    for (std::size_t at = begin; at < begin + 4; ++at) {
      Cell byte = bytes.load(at, valid);
      join(byte);
      bytes.store(at, byte, valid);
    }
  }
}

void RaceChecker::mbarrier_arrived(const void* barrier, rafter_simt::Scope scope) {
  release_log_.release_at_barrier(barrier, now(), scope);
  block_->warps[rafter_simt_now.linear / 32].clock.tick();
}

void RaceChecker::proxy_fence(rafter_simt::ProxyFence fence) {
  const std::uint64_t thread = static_cast<std::uint64_t>(block_->linear) << 32 | rafter_simt_now.linear;
  const Space space = fence == rafter_simt::ProxyFence::shared ? Space::shared : Space::global;
  proxy_fences_[thread].push_back({now(), space});
  block_->warps[rafter_simt_now.linear / 32].clock.tick();
}

// Whether a proxy fence lies between a thread's write and the agent that is started now: a fence of the writer, or one
// of the starting thread after the write became visible to it.
bool RaceChecker::is_fenced(const Record& record, Space space) const {
  const Segment& segment = segment_of(record);
  const std::uint32_t writer = segment.warp * 32 + record.lane();
  const Moment here = now();
  const auto knows = [&](const Moment& at, const Segment& earlier) {
    return at.is_after(earlier, record.lane()) || release_log_.happens_before(earlier, record.lane(), at);
  };
  if (const auto own = proxy_fences_.find(std::uint64_t{segment.block} << 32 | writer); own != proxy_fences_.end()) {
    const auto is_before = [&](const ProxyFencePoint& fence) { return fence.moment.time < segment.time; };
    auto fence = std::partition_point(own->second.begin(), own->second.end(), is_before);
    while (fence != own->second.end() && fence->space != space) ++fence;
    if (fence != own->second.end() &&
        knows(here, {segment.block, segment.warp, fence->moment.epoch, fence->moment.time})) {
      return true;
    }
  }
  const auto mine = proxy_fences_.find(std::uint64_t{here.block} << 32 | here.thread);
  if (mine == proxy_fences_.end()) return false;
  const auto last = std::find_if(mine->second.rbegin(), mine->second.rend(),
                                 [&](const ProxyFencePoint& fence) { return fence.space == space; });
  return last != mine->second.rend() && knows(last->moment, segment);
}

RaceChecker::Writes RaceChecker::writes_of(const Cell& cell, const WordAccess& word_access) {
  if (cell.more_reads.accessor != Cell::split) return {cell.write};
  Writes writes;
  const auto [cells, first] = word_access.shadow.byte_cells.of(word_access.word);
  for (std::size_t byte = 0; byte < 4; ++byte) writes[byte] = cells.load(first + byte, word_access.valid).write;
  return writes;
}

void RaceChecker::check_proxy(const Record& write, const WordAccess& word_access) {
  const Access& access = word_access.access;
  const Space space = word_access.space;
  if (reported_ || write.accessor == 0 || !word_access.valid.contains(write) || segment_of(write).is_of_agent()) return;
  if (write.accessor == fenced_.accessor && agent_->number == fenced_.details) return;
  if (is_fenced(write, space)) {
    fenced_ = {write.accessor, agent_->number};
    return;
  }
  reported_ = true;
  Finding finding{Kind::proxy_fence, space, grid_->launch().kernel, {}, target_of_word(word_access), ""};
  const Record mine{agent_->number, sites_.number(access.place) << 6};
  finding.sides.push_back(side_of(mine, access.writes ? "writes" : "reads", access.bytes));
  finding.sides.push_back(side_of(write, "writes", access.bytes));
  finding.detail = std::string("a fence.proxy.async is missing between them for ") + name(space) +
                   " memory: without it, copies and wgmmas do not see the writes of threads";
  findings().add(std::move(finding));
}

}  // namespace rafter::simt
