// Races in clusters: the order of cluster barriers, and accesses to shared memory of blocks that have not started or
// have ended.
#include <algorithm>
#include <string>

#include "executor/check/races/race_checker.hpp"

namespace rafter::simt {

void RaceChecker::block_entered(Block& block) {
  block_ = &block;
  if (open_ && open_ != &block) set_simple(false);  // blocks alternate on this worker
  if (open_ != &block) block_first_ = first_after_barrier_ = next_segment();
  open_ = &block;
  if (block.cluster) cluster_barriers(*block.cluster);
}

ClusterBarriers& RaceChecker::cluster_barriers(const Cluster& cluster) {
  if (ClusterBarriers* known = release_log_.cluster_of(number(cluster.block(0)))) return *known;
  std::vector<std::uint32_t> blocks;
  for (unsigned rank = 0; rank < cluster.size(); ++rank) blocks.push_back(number(cluster.block(rank)));
  return release_log_.begin_cluster(std::move(blocks));
}

void RaceChecker::cluster_arrived(const Cluster& cluster, rafter_simt::ClusterArrive order) {
  ClusterBarriers& past = cluster_barriers(cluster);
  set_simple(false);
  const unsigned thread = rafter_simt_now.linear;
  WarpClock& clock = block_->warps[thread / 32].clock;
  past.arrived(number(*block_), thread,
               order == rafter_simt::ClusterArrive::release ? WarpTime{block_->epoch, clock.time()}
                                                            : release_log_.last_cluster_fence(number(*block_), thread));
  clock.tick();
}

bool RaceChecker::is_ordered_by_cluster(const Record& record) const {
  const ClusterBarriers* past = release_log_.cluster_of(number(*block_));
  return past &&
         past->is_before(segment_of(record), record.lane(), block_->cluster->n_waits(*block_, rafter_simt_now.linear));
}

// All threads of a block start together, so an order after any of them shows that all have started.
bool RaceChecker::has_begun(const Block& owner) const {
  const Moment here = now();
  if (here.n_cluster_waits > 0) return true;
  for (std::uint32_t warp = 0; warp * 32 < owner.n_threads; ++warp) {
    for (unsigned lane = 0; lane < 32; ++lane) {
      if (release_log_.happens_before({number(owner), warp, 0, 0}, lane, here)) return true;
    }
  }
  return false;
}

void RaceChecker::remote_access(const Access& access, const Block& owner) {
  const std::uint32_t details = sites_.number(access.place) << 6 | static_cast<std::uint32_t>(access.mode) << 4;
  const Record record{accessor_id(), details | static_cast<std::uint32_t>(access.writes)};
  if (!has_begun(owner)) {
    report_remote(Kind::unstarted_block, record, owner,
                  "a barrier of the cluster is missing before the first access to another block's shared memory");
  }
  if (owner.state == BlockState::finished) {
    report_remote(Kind::exited_block, record, owner,
                  "a barrier of the cluster is missing after the last access to another block's shared memory");
    return;
  }
  remote_accesses_[number(owner)][std::uint64_t{number(*block_)} << 32 | rafter_simt_now.linear] = record;
}

// Shared memory exists until the last thread of its block exits. It is enough that one thread exits after the access.
void RaceChecker::thread_ended() {
  if (remote_accesses_.empty()) return;
  const auto found = remote_accesses_.find(number(*block_));
  if (found == remote_accesses_.end()) return;
  std::erase_if(found->second,
                [&](const auto& one) { return is_ordered(one.second) || is_ordered_by_release(one.second); });
}

void RaceChecker::left_cluster(const Block& block) {
  const auto found = remote_accesses_.find(number(block));
  if (found == remote_accesses_.end()) return;
  for (const auto& [thread, record] : found->second) {
    report_remote(Kind::exited_block, record, block,
                  "a barrier of the cluster is missing after the last access to another block's shared memory");
  }
  remote_accesses_.erase(found);
}

void RaceChecker::report_remote(Kind kind, const Record& record, const Block& owner, const char* detail) {
  const bool writes = record.details & 1;
  Finding finding{kind, Space::shared, grid_->launch().kernel, {}, std::nullopt, detail};
  finding.sides.push_back(
      side_of(record, writes ? "writes another block's memory" : "reads another block's memory", 0));
  finding.sides.push_back({kind == Kind::exited_block ? "exits without waiting for the access" : "may not have started",
                           nullptr, 0, owner.index, owner.thread_index(0)});
  findings().add(std::move(finding));
}

}  // namespace rafter::simt
