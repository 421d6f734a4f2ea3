// What watches an execution: the engine and the memory tell it what happens. Checkers and counters are observers, above
// both; a plain run has none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "executor/process/finding.hpp"
#include "executor/process/stream_observer.hpp"
#include "rafter_simt/abi.hpp"
#include "rafter_simt/async/async.hpp"

namespace rafter::simt {

class Block;
class Cluster;
class Grid;
struct Allocation;
struct Barrier;

enum class AccessMode : std::uint8_t { plain, volatile_, atomic, block_atomic };

/// One access to memory by the thread that runs now, before it happens.
struct Access {
  std::byte* address;
  std::uint32_t bytes;
  bool writes;
  bool reads;
  AccessMode mode;
  bool is_range;  // a copy of many bytes: no alignment to ask for
  const void* place;
};

/// Who makes accesses that no thread makes: which one, and in which proxy.
struct Agent {
  enum class Proxy : std::uint8_t { generic, async };

  std::uint32_t number;
  Proxy proxy;
};

enum class ApiUse : bool { reads, writes };

/// A copy that crosses between host and device, as the bus sees it.
struct Transfer {
  enum class Direction : std::uint8_t { to_device, to_host };
  enum class HostMemory : std::uint8_t { pageable, pinned };

  Direction direction;
  HostMemory host_memory;
  std::uint64_t bytes;
  const void* place;  // the call
};

class Observer {
 public:
  virtual ~Observer() = default;

  // Launches, and what their threads do.
  /// How many workers may have a go at sharing a launch.
  virtual int n_workers(const Grid&, int /*at_most*/) { return 1; }
  virtual void launch_began(Grid&, int /*n_workers*/) {}
  /// False: nothing has happened that it may stand for; it is to run again, on one worker.
  virtual bool launch_ended(Grid&) { return true; }
  /// A launch that has begun and not ended, for who cannot wait for its end.
  struct RunningLaunch {
    const char* kernel;
    std::uint64_t accesses;  // that were looked at so far
  };
  virtual std::optional<RunningLaunch> running_launch() const { return std::nullopt; }
  virtual void block_entered(Block&) {}
  /// Another one may run next, in whose place shared variables are then; or nobody, because it has ended.
  virtual void block_left(Block&) {}
  virtual void block_ended(Block&) {}
  virtual void thread_ended(Block&, unsigned) {}
  virtual void block_barrier_completed(Block&) {}                    // at a barrier of the whole block
  virtual void partial_barrier_completed(Block&, const Barrier&) {}  // at a barrier of part of the block
  virtual void partial_barrier_arrived(const Barrier&) {}            // without waiting
  virtual void grid_barrier_released(const Block&) {}
  virtual void cluster_arrived(const Cluster&, rafter_simt::ClusterArrive) {}  // the running thread, at its barrier
  virtual void left_cluster(Block&) {}            // it has ended; others of its cluster may not have
  virtual void barrier(const void* /*place*/) {}  // a thread arrives
  virtual void fence(rafter_simt::Scope) {}
  virtual void access(const Access& access) = 0;
  virtual void fetched(const Access& a) { access(a); }  // the same through a texture, or a surface that is read
  virtual void copied(void* /*to*/, const void* /*from*/, std::size_t /*bytes*/) {}  // after both accesses
  virtual void atomic_done(const volatile void*, rafter_simt::Effect) {}
  virtual void acquired(const volatile void*, rafter_simt::Scope) {}  // the read of it that came last was an acquire
  virtual void host_access(const Access&) {}
  virtual void passed(const void* /*place*/) {}  // the running thread enters a stretch of code without branches
  virtual void past_object(const Access&) {}     // of an access outside of the object it means, before it happens

  // What goes on by itself (engine/async/async.hpp). An agent stands for one copy, or one group of copies.
  virtual std::uint32_t agent_began() { return 0; }
  virtual void agent_access(const Access&, const Agent&) {}
  virtual void agent_skipped(void* /*to*/, std::size_t /*bytes*/) {}             // what it leaves there is nothing
  virtual void agent_landed(const Agent&, const void* /*mbarrier or group*/) {}  // for those who wait for that
  virtual void agent_joined(const Agent&, const Access&) {}  // from now on the running thread's doing
  virtual void mbarrier_arrived(const void*, rafter_simt::Scope) {}
  virtual std::uint32_t n_releases(const void*) { return 0; }  // so far, of an mbarrier or a group
  virtual void waited(const void*, std::uint32_t /*n_releases*/) {}
  virtual void proxy_fence(rafter_simt::ProxyFence) {}

  // Memory outside of kernels.
  virtual void allocated(const Allocation&) {}
  virtual void freed(const Allocation&) {}
  virtual void forbidden(const void* /*from*/, std::size_t /*bytes*/) {}  // part of an allocation: outside from now on
  /// An API call at `call_site` reads or writes these bytes. False, and a finding, unless they lie in one live
  /// allocation (or are not ours to judge).
  virtual bool may_touch(const void* /*address*/, std::size_t /*bytes*/, ApiUse, const void* /*call_site*/) {
    return true;
  }
  /// `from` tells which bytes are initialised when they come from device memory; nullptr: all of them. The host gets
  /// some that are not: a note, as copying back a buffer that was filled in part is how programs work.
  virtual void wrote(void* /*to*/, const void* /*from*/, std::size_t /*bytes*/, const void* /*call_site*/) {}

  virtual void transferred(const Transfer&) {}

  /// Who is told of streams; nobody unless the observer wants to know.
  virtual StreamObserver* streams() { return nullptr; }

  /// The shared variable at or just before `address`, for reports; nothing unless the observer knows them.
  virtual std::optional<Target> shared_variable(const void* /*address*/) const { return std::nullopt; }
};

/// The observer of this process, which the runtime chooses; nullptr in plain mode.
[[gnu::visibility("hidden")]] extern Observer* current_observer;
inline Observer* observing() { return current_observer; }
inline StreamObserver* observing_streams() {
  Observer* observer = observing();
  return observer ? observer->streams() : nullptr;
}

}  // namespace rafter::simt
