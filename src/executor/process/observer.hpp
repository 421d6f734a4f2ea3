// The interface of observers. The engine and the memory module report events of an execution to the observer of the
// process. The checkers and the counters are observers; a plain run has none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "executor/process/finding.hpp"
#include "executor/process/stream_observer.hpp"
#include "rafter_simt/abi.hpp"
#include "rafter_simt/async/async.hpp"
#include "rafter_simt/library_abi.hpp"

namespace rafter::simt {

class Block;
class Cluster;
class Grid;
struct Allocation;
struct Barrier;

enum class AccessMode : std::uint8_t { plain, volatile_, atomic, block_atomic };

/// One access of the running thread to memory, reported before it happens.
struct Access {
  std::byte* address;
  std::uint32_t bytes;
  bool writes;
  bool reads;
  AccessMode mode;
  bool is_range;  // a copy of many bytes, which needs no alignment
  const void* place;
};

/// The originator of accesses that no thread makes, such as an asynchronous copy, and the proxy it accesses memory by.
struct Agent {
  enum class Proxy : std::uint8_t { generic, async };

  std::uint32_t number;
  Proxy proxy;
};

enum class ApiUse : bool { reads, writes };

/// A copy between host and device.
struct Transfer {
  enum class Direction : std::uint8_t { to_device, to_host };
  enum class HostMemory : std::uint8_t { pageable, pinned };

  Direction direction;
  HostMemory host_memory;
  std::uint64_t bytes;
  const void* place;  // of the call
};

class Observer {
 public:
  virtual ~Observer() = default;

  // Launches and events of their threads.
  /// Returns the number of workers that may share the launch.
  virtual int n_workers(const Grid&, int /*at_most*/) { return 1; }
  virtual void launch_began(Grid&, int /*n_workers*/) {}
  /// Returns false if the launch was rolled back and must run again on one worker.
  virtual bool launch_ended(Grid&) { return true; }
  /// A launch that has begun and not ended.
  struct RunningLaunch {
    const char* kernel;
    std::uint64_t accesses;  // checked so far
  };
  virtual std::optional<RunningLaunch> running_launch() const { return std::nullopt; }
  virtual void block_entered(Block&) {}
  /// Another block may run next on this worker and occupy the storage of the shared variables. Also called when the
  /// block ends.
  virtual void block_left(Block&) {}
  virtual void block_ended(Block&) {}
  virtual void thread_ended(Block&, unsigned) {}
  virtual void block_barrier_completed(Block&) {}  // all threads passed a barrier of the whole block
  // The threads of a barrier of part of the block passed it.
  virtual void partial_barrier_completed(Block&, const Barrier&) {}
  virtual void partial_barrier_arrived(const Barrier&) {}  // the running thread arrived without waiting
  virtual void grid_barrier_released(const Block&) {}
  // The running thread arrived at the barrier of the cluster.
  virtual void cluster_arrived(const Cluster&, rafter_simt::ClusterArrive) {}
  virtual void left_cluster(Block&) {}            // the block has ended; other blocks of its cluster may still run
  virtual void barrier(const void* /*place*/) {}  // the running thread arrives at a barrier
  virtual void fence(rafter_simt::Scope) {}
  virtual void access(const Access& access) = 0;
  virtual void fetched(const Access& a) { access(a); }  // an access through a texture, or a surface read
  virtual void read_only(const Access&) {}              // a load through the read-only cache, before its access()
  // a wmma load or store begins at the address
  virtual void matrix(const void* /*address*/, std::size_t /*stride_bytes*/, const void* /*place*/) {}
  virtual void copied(void* /*to*/, const void* /*from*/, std::size_t /*bytes*/) {}  // called after both accesses
  virtual void atomic_done(const volatile void*, rafter_simt::Effect) {}
  virtual void acquired(const volatile void*, rafter_simt::Scope) {}  // the last read of the address was an acquire
  virtual void host_access(const Access&) {}
  virtual void basic_block_entered(const void* /*place*/) {}  // the running thread enters a basic block
  virtual void outside_object(const Access&) {}               // an access outside of its object, before it happens

  // Asynchronous work (engine/async/async.hpp). An agent is one copy or one group of copies.
  virtual std::uint32_t agent_began() { return 0; }
  virtual void agent_access(const Access&, const Agent&) {}
  virtual void agent_skipped(void* /*to*/, std::size_t /*bytes*/) {}  // the agent leaves these bytes uninitialised
  virtual void agent_completed(const Agent&, const void* /*mbarrier or group*/) {}  // the agent completed on it
  virtual void agent_joined(const Agent&, const Access&) {}  // the access now counts as the running thread's own
  virtual void mbarrier_arrived(const void*, rafter_simt::Scope) {}
  virtual std::uint32_t n_releases(const void*) { return 0; }  // so far, on an mbarrier or a group
  virtual void waited(const void*, std::uint32_t /*n_releases*/) {}
  virtual void proxy_fence(rafter_simt::ProxyFence) {}

  // Memory outside of kernels.
  virtual void allocated(const Allocation&) {}
  virtual void freed(const Allocation&) {}
  // this part of an allocation is now out of bounds
  virtual void forbidden(const void* /*from*/, std::size_t /*bytes*/) {}
  // What the next call may not build on (check/provenance.hpp).
  virtual void output_forgotten(void* /*from*/, std::size_t /*bytes*/) {}
  virtual void argument_set(void* /*from*/, std::size_t /*bytes*/, bool /*is_argument*/) {}
  virtual void state_forgotten() {}
  /// Returns the module variables there are if `variable` is none of them.
  virtual std::vector<std::string> state_kept(const char* /*variable*/) { return {}; }
  /// An API call at `call_site` is about to read or write these bytes. Returns false and reports a finding if they are
  /// in device, managed or pinned memory but not inside one live allocation.
  virtual bool may_touch(const void* /*address*/, std::size_t /*bytes*/, ApiUse, const void* /*call_site*/) {
    return true;
  }
  /// An API call wrote these bytes. If `from` is device memory, the initialised state of its bytes is copied;
  /// otherwise, or if it is nullptr, all bytes are initialised. A copy of uninitialised bytes to the host is only a
  /// note, because programs often copy back buffers that they have filled in part.
  virtual void wrote(void* /*to*/, const void* /*from*/, std::size_t /*bytes*/, const void* /*call_site*/) {}

  // A call of one of CUDA's libraries, at `place` in the program, is about to access an operand; it wrote one.
  virtual void library_accesses(const rafter_simt::LibraryOperand&, const char* /*call*/, const void* /*place*/) {}
  virtual void library_wrote(const rafter_simt::LibraryOperand&) {}

  virtual void transferred(const Transfer&) {}

  /// Returns the observer of streams, or nullptr.
  virtual StreamObserver* streams() { return nullptr; }

  /// Returns the shared variable at or just before `address`, for reports; nullopt if the observer does not know it.
  virtual std::optional<Target> shared_variable(const void* /*address*/) const { return std::nullopt; }
};

/// The observer of this process; nullptr in plain mode. The runtime sets it.
[[gnu::visibility("hidden")]] extern Observer* current_observer;
inline Observer* observing() { return current_observer; }
inline StreamObserver* observing_streams() {
  Observer* observer = observing();
  return observer ? observer->streams() : nullptr;
}

}  // namespace rafter::simt
