// Clusters in a worker: their start, their barrier, and the mapping to other blocks' shared memory.
#include <string>

#include "executor/engine/failure.hpp"
#include "executor/engine/sync_findings.hpp"
#include "executor/engine/workers/worker.hpp"
#include "executor/process/observer.hpp"

namespace rafter::simt {

// Makes all blocks of the cluster resident at once. Each one's shared memory has its home before a thread accesses it.
Block* Worker::start_cluster(std::int64_t number) {
  const uint3 index = grid_->cluster_index(number);
  const auto cluster = std::make_shared<Cluster>(grid_->launch().cluster, index);
  const std::size_t first = resident_.size();
  for (unsigned rank = 0; rank < grid_->cluster_size(); ++rank) {
    Block& block = make_resident(grid_->block_of_cluster(index, rank));
    block.cluster = cluster;
    block.shared_image.save(shared_ranges_);
    cluster->add(block);
  }
  chosen_ = first + (shuffle_ ? (*shuffle_)() % grid_->cluster_size() : 0);
  return resident_[chosen_].get();
}

Cluster& Worker::cluster() {
  catch_up();
  if (!block_->cluster) {
    block_->cluster = std::make_shared<Cluster>(dim3{}, block_->index);
    block_->cluster->add(*block_);
  }
  return *block_->cluster;
}

void Worker::cluster_arrive(rafter_simt::ClusterArrive order, const void* place) {
  Cluster& all = cluster();
  const unsigned thread = rafter_simt_now.linear;
  if (all.n_arrivals(*block_, thread) > all.n_waits(*block_, thread)) {
    report_cluster_order(*block_, place, "arrives at the cluster's barrier",
                         "the thread arrived before and has not waited since: each arrival must be followed by a wait");
    abandon(launch_failure);
  }
  ++block_->progress;
  block_->threads[thread].place = place;
  if (Observer* observer = observing()) observer->cluster_arrived(all, order);
  all.arrive(*block_, thread);
}

void Worker::cluster_wait(const void* place) {
  Cluster& all = cluster();
  const unsigned thread = rafter_simt_now.linear;
  if (all.n_arrivals(*block_, thread) == all.n_waits(*block_, thread)) {
    report_cluster_order(*block_, place, "waits at the cluster's barrier",
                         "the thread has not arrived: each wait must follow an arrival");
    abandon(launch_failure);
  }
  if (!all.is_complete(*block_, thread)) wait(Waiting::cluster, place);
  all.waited(*block_, thread);
}

Block* Worker::owner_of(const void* address) {
  const auto* at = static_cast<const std::byte*>(address);
  const auto has = [&](Block& block, const std::vector<SharedRange>& ranges) {
    if (static_cast<std::size_t>(at - block.dynamic_base()) < grid_->launch().shared_bytes + shared_redzone_bytes)
      return true;
    for (const SharedRange& range : ranges) {
      if (range.holds(at)) return true;
    }
    return false;
  };
  if (has(*block_, shared_ranges_)) return block_;
  if (!grid_->has_clusters()) return nullptr;
  for (unsigned rank = 0; rank < block_->cluster->size(); ++rank) {
    Block& block = block_->cluster->block(rank);
    if (has(block, block.shared_image.ranges())) return &block;
  }
  return nullptr;
}

// An address just outside of a variable is resolved, too, so that the checkers can report it.
void* Worker::shared_at(std::uint64_t address) {
  if (address >> 32 != 0) return reinterpret_cast<void*>(address);
  constexpr std::uint64_t low = 0xffffffffu, margin = 64 << 10;
  const auto completed = [&](const std::byte* base, std::size_t bytes) -> void* {
    const auto begin = reinterpret_cast<std::uint64_t>(base);
    const std::uint64_t distance = (address - begin + margin) & low;
    return bytes > 0 && distance < bytes + 2 * margin ? reinterpret_cast<void*>(begin + distance - margin) : nullptr;
  };
  if (void* at = completed(block_->dynamic_base(), grid_->launch().shared_bytes)) return at;
  for (const SharedRange& range : shared_ranges_) {
    if (void* at = completed(range.base, range.bytes)) return at;
  }
  return reinterpret_cast<void*>(address);
}

std::byte* Worker::map_shared(const void* address, unsigned rank, const void* place) {
  Cluster& all = cluster();
  if (rank >= all.size()) {
    report_bad_map(*block_, place, "maps an address to rank " + std::to_string(rank),
                   "the cluster has " + std::to_string(all.size()) + (all.size() == 1 ? " block" : " blocks"));
    abandon(illegal_address);
  }
  Block* from = owner_of(address);
  if (!from) {
    report_bad_map(*block_, place, "maps an address to another block", "the address is not in shared memory");
    abandon(illegal_address);
  }
  Block& to = all.block(rank);
  auto* at = static_cast<std::byte*>(const_cast<void*>(address));
  if (from == &to) return in_place_address(at);
  const std::ptrdiff_t in_dynamic = at - from->dynamic_base();
  if (static_cast<std::size_t>(in_dynamic) < grid_->launch().shared_bytes + shared_redzone_bytes)
    return to.dynamic_base() + in_dynamic;
  const auto homes = [&](const Block& block) { return block.shared_image.ranges(); };
  return in_place_address(moved(home_address(at), homes(*from), homes(to)).value_or(at));
}

}  // namespace rafter::simt
