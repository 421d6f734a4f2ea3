// The observer of a checked run: passes every access to the checkers.
#pragma once

#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "executor/check/provenance.hpp"
#include "executor/check/regions.hpp"
#include "executor/check/speculative_launch.hpp"
#include "executor/check/streams/stream_checker.hpp"
#include "executor/check/worker_checks.hpp"
#include "executor/process/observer.hpp"

namespace rafter::simt {

class CheckObserver final : public Observer {
 public:
  CheckObserver();

  int n_workers(const Grid& grid, int at_most) override;
  void launch_began(Grid& grid, int n_workers) override;
  bool launch_ended(Grid& grid) override;
  std::optional<RunningLaunch> running_launch() const override;
  void block_entered(Block& block) override { current().block_entered(block); }
  void block_left(Block&) override { current().races().finish_pending(); }
  void block_ended(Block& block) override { current().block_ended(block); }
  void block_barrier_completed(Block&) override { current().races().block_barrier_completed(); }
  void thread_ended(Block&, unsigned) override {
    RaceChecker& races = current().races();
    races.finish_pending();
    races.thread_ended();
  }
  void cluster_arrived(const Cluster& cluster, rafter_simt::ClusterArrive order) override {
    current().races().cluster_arrived(cluster, order);
  }
  void left_cluster(Block& block) override { current().races().left_cluster(block); }
  void partial_barrier_completed(Block& block, const Barrier& barrier) override {
    current().races().partial_barrier_completed(block, barrier);
  }
  void partial_barrier_arrived(const Barrier& barrier) override { current().races().partial_barrier_arrived(barrier); }
  void grid_barrier_released(const Block& block) override { current().races().grid_barrier_released(block); }
  void fence(rafter_simt::Scope scope) override {
    current().races().fence(scope);
    streams_.fence(scope);
  }
  void access(const Access& access) override { current().check(access, nullptr); }
  void fetched(const Access& access) override { current().check_fetch(access); }
  void read_only(const Access& access) override { current().check_read_only(access); }
  void matrix(const void* address, std::size_t stride_bytes, const void* place) override {
    current().check_matrix(address, stride_bytes, place);
  }
  void copied(void* to, const void* from, std::size_t bytes) override { current().copied(to, from, bytes); }
  void atomic_done(const volatile void* address, rafter_simt::Effect effect) override;
  void acquired(const volatile void* address, rafter_simt::Scope scope) override;
  void host_access(const Access& access) override;
  void outside_object(const Access& access) override;
  void allocated(const Allocation& allocation) override;
  void freed(const Allocation& allocation) override;
  void forbidden(const void* from, std::size_t bytes) override;
  void output_forgotten(void* from, std::size_t bytes) override {
    provenance().forget_output(regions_, static_cast<std::byte*>(from), bytes);
  }
  void argument_set(void* from, std::size_t bytes, bool is_argument) override {
    provenance().set_argument(regions_, static_cast<std::byte*>(from), bytes, is_argument);
  }
  std::vector<std::string> state_kept(const char* variable) override { return provenance().keep(variable); }
  void state_forgotten() override {
    if (regions_.update_modules()) others_.clear();  // made again with the new modules
    provenance().forget_state(regions_.module_data());
  }
  bool may_touch(const void* address, std::size_t bytes, ApiUse use, const void* call_site) override;
  void wrote(void* to, const void* from, std::size_t bytes, const void* call_site) override;
  void library_accesses(const rafter_simt::LibraryOperand& operand, const char* call, const void* place) override;
  void library_wrote(const rafter_simt::LibraryOperand& operand) override;
  std::optional<Target> shared_variable(const void* address) const override {
    return const_cast<CheckObserver*>(this)->current().regions().describe_shared(address);
  }

  std::uint32_t agent_began() override { return current().races().agent_began(); }
  void agent_access(const Access& access, const Agent& agent) override { current().check(access, &agent); }
  void agent_skipped(void* to, std::size_t bytes) override;
  void agent_completed(const Agent& agent, const void* where) override {
    current().races().agent_completed(agent, where);
  }
  void agent_joined(const Agent& agent, const Access& access) override;
  void mbarrier_arrived(const void* barrier, rafter_simt::Scope scope) override {
    current().races().mbarrier_arrived(barrier, scope);
  }
  std::uint32_t n_releases(const void* where) override { return current().races().n_releases(where); }
  void waited(const void* where, std::uint32_t n_releases) override { current().races().waited(where, n_releases); }
  void proxy_fence(rafter_simt::ProxyFence fence) override { current().races().proxy_fence(fence); }

  StreamObserver* streams() override { return &streams_; }
  void set_variables(const rafter_simt::VariableRanges& ranges) {
    regions_.set_variables(ranges);
    others_.clear();  // made again from the first worker's regions
    streams_.set_managed_variables(ranges.managed);
    host_filter.set_variables(ranges.device);
  }

 private:
  WorkerChecks& current();
  bool may_share(const Grid& grid) const;
  bool commit_or_roll_back(const Grid& grid);
  void wrote_variable(void* to, std::size_t bytes);

  Regions regions_;
  StreamChecker streams_{regions_};
  WorkerChecks checks_{regions_, streams_};  // of the first worker; most launches use only this one
  struct OtherWorker {
    OtherWorker(const Regions& of_first, StreamChecker& streams) : regions(of_first), checks(regions, streams) {}
    Regions regions;
    WorkerChecks checks;
  };
  std::vector<std::unique_ptr<OtherWorker>> others_;  // the workers that share launches with the first
  SpeculativeLaunch shared_{regions_.global()};
  const char* kernel_ = nullptr;                           // of the current launch
  std::uint32_t next_segment_ = 1;                         // unused so far
  std::unordered_set<std::string> single_worker_kernels_;  // their speculation failed
};

}  // namespace rafter::simt
