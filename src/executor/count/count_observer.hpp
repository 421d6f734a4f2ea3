// The observer of a counted run. Lanes run one after the other, so requests are formed afterwards: the n-th visit of a
// place by each lane of a warp is one request.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "executor/count/bounds.hpp"
#include "executor/count/counts.hpp"
#include "executor/count/request.hpp"
#include "executor/count/widths.hpp"
#include "executor/engine/block.hpp"
#include "executor/engine/shared_memory.hpp"
#include "executor/process/observer.hpp"

namespace rafter::simt {

class CountObserver final : public Observer {
 public:
  void launch_began(Grid& grid, int n_workers) override;
  bool launch_ended(Grid& grid) override;
  void block_entered(Block& block) override;
  void block_ended(Block& block) override;
  void thread_ended(Block& block, unsigned thread) override;
  void block_barrier_completed(Block& block) override { flush_all(block); }
  void barrier(const void* place) override { ++kernel_->barriers[place]; }
  void access(const Access& access) override;
  void basic_block_entered(const void* place) override;
  void transferred(const Transfer& transfer) override;
  void agent_access(const Access& access, const Agent&) override;
  void allocated(const Allocation&) override { bounds_.forget(); }
  void freed(const Allocation&) override { bounds_.forget(); }

  /// Sets the ranges of the program's variables. Those in device memory count as global memory.
  void set_variables(const rafter_simt::VariableRanges& ranges) { variables_ = ranges; }

  const std::map<std::string, KernelCounts>& kernels() const { return kernels_; }
  const std::map<TransferKey, TransferCounts>& transfers() const { return transfers_; }
  void forget() {
    kernels_.clear();
    transfers_.clear();
  }

 private:
  struct Visit {
    PlaceKey key;
    LaneAccess lane_access;
  };
  using WarpLog = std::array<std::vector<Visit>, 32>;

  void record(const Access& access, LaneAccess::Kind lane_kind);
  void count_thread(const PlaceKey& key, std::uint32_t bytes);
  void report_if_outside(const Access& access, Space space);
  Space space_of(const std::byte* address) const;
  bool is_global_variable(const std::byte* address) const;
  void flush_all(Block& block);
  void flush(WarpLog& log);
  void count(const PlaceKey& key, const Request& request);
  void count_piece(PlaceCounts& counts, const PlaceKey& key, const Request& request) const;

  Widths widths_;
  Bounds bounds_;
  rafter_simt::VariableRanges variables_{};
  std::map<std::string, KernelCounts> kernels_;
  std::map<TransferKey, TransferCounts> transfers_;
  KernelCounts* kernel_ = nullptr;
  Footprint footprint_;
  Passes passes_;
  std::unordered_map<const Block*, std::vector<WarpLog>> logs_;
  std::vector<WarpLog>* log_ = nullptr;
  const Block* block_ = nullptr;
  std::unordered_map<const Block*, std::vector<BusiestThread>> threads_;  // the bytes of each thread
  std::vector<BusiestThread>* of_threads_ = nullptr;
  std::unordered_map<const std::byte*, std::uint64_t> atomics_;         // in global memory
  std::unordered_map<const std::byte*, std::uint64_t> shared_atomics_;  // of the current block
};

}  // namespace rafter::simt
