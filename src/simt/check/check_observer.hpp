// The observer of a checked run: shows every access to the checkers.
#pragma once

#include "simt/check/host_glance.hpp"
#include "simt/check/regions.hpp"
#include "simt/check/stream_checker.hpp"
#include "simt/check/worker_checks.hpp"
#include "simt/process/observer.hpp"

namespace rafter::simt {

class CheckObserver final : public Observer {
 public:
  CheckObserver();

  void launch_began(Grid& grid) override { checks_.launch_began(grid); }
  void launch_ended(Grid& grid) override;
  void block_entered(Block& block) override { checks_.block_entered(block); }
  void block_ended(Block& block) override { checks_.block_ended(block); }
  void all_met(Block&) override { checks_.races().all_met(); }
  void thread_ended(Block&, unsigned) override {
    checks_.races().settle();
    checks_.races().thread_ended();
  }
  void cluster_arrived(const Cluster& cluster, rafter_simt::ClusterArrive order) override {
    checks_.races().cluster_arrived(cluster, order);
  }
  void left_cluster(Block& block) override { checks_.races().left_cluster(block); }
  void some_met(Block& block, const Barrier& barrier) override { checks_.races().some_met(block, barrier); }
  void arrived(const Barrier& barrier) override { checks_.races().arrived(barrier); }
  void grid_barrier_released(const Block& block) override { checks_.races().grid_barrier_released(block); }
  void fence(rafter_simt::Scope scope) override {
    checks_.races().fence(scope);
    streams_.fence(scope);
  }
  void access(const Access& access) override { checks_.look_at(access, nullptr); }
  void copied(void* to, const void* from, std::size_t bytes) override;
  void atomic_done(const volatile void* address, rafter_simt::Effect effect) override;
  void acquired(const volatile void* address, rafter_simt::Scope scope) override;
  void host_access(const Access& access) override;
  void past_object(const Access& access) override;
  void allocated(const Allocation& allocation) override;
  void freed(const Allocation& allocation) override;
  void forbidden(const void* from, std::size_t bytes) override;
  bool may_touch(const void* address, std::size_t bytes, ApiUse use, const void* call_site) override;
  void wrote(void* to, const void* from, std::size_t bytes, const void* call_site) override;
  std::optional<Target> shared_variable(const void* address) const override {
    return regions_.describe_shared(address);
  }

  std::uint32_t agent_began() override { return checks_.races().agent_began(); }
  void agent_access(const Access& access, const Agent& agent) override { checks_.look_at(access, &agent); }
  void agent_skipped(void* to, std::size_t bytes) override;
  void agent_landed(const Agent& agent, const void* where) override { checks_.races().agent_landed(agent, where); }
  void agent_joined(const Agent& agent, const Access& access) override;
  void mbarrier_arrived(const void* barrier, rafter_simt::Scope scope) override {
    checks_.races().mbarrier_arrived(barrier, scope);
  }
  std::uint32_t n_releases(const void* where) override { return checks_.races().n_releases(where); }
  void waited(const void* where, std::uint32_t n_releases) override { checks_.races().waited(where, n_releases); }
  void proxy_fence(rafter_simt::ProxyFence fence) override { checks_.races().proxy_fence(fence); }

  StreamObserver* streams() override { return &streams_; }
  void set_variables(const rafter_simt::VariableRanges& ranges) {
    regions_.set_variables(ranges);
    streams_.set_managed_variables(ranges.managed);
    host_glance.set_variables(ranges.device);
  }

 private:
  Regions regions_;
  StreamChecker streams_{regions_};
  WorkerChecks checks_{regions_, streams_};
};

}  // namespace rafter::simt
