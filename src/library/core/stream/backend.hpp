// The interface of a device to streams and buffers; one implementation per device.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "rafter/device.hpp"
#include "rafter/memory_resource.hpp"

struct CUevent_st;
struct CUstream_st;

namespace rafter::core {

class Backend {
 public:
  virtual ~Backend() = default;

  virtual Device device() const noexcept = 0;

  /// Returns why the device cannot be used, or nullopt.
  virtual std::optional<std::string> why_unavailable() const = 0;
  virtual int n_multiprocessors() const { return 0; }
  virtual std::int64_t available_bytes() const = 0;  ///< bytes of memory free now

  // A backend may have several devices, identified by ordinals. All following functions use the calling thread's
  // current one.
  virtual int n_ordinals() const { return 1; }
  virtual int current_ordinal() const { return 0; }
  virtual void make_current(int /*ordinal*/) {}

  /// Returns the least scratch that a stream takes when an op requests `bytes`.
  virtual std::int64_t first_scratch_bytes(std::int64_t /*bytes*/) const { return 256 << 10; }
  /// Returns the most scratch that ops of the library request: enough for the partial results of any op on data that
  /// fit into memory.
  virtual std::int64_t scratch_limit() const { return first_scratch_bytes(0); }

  /// Returns an id of the stream that is unique in this process and never reused.
  virtual std::uint64_t stream_id(CUstream_st* stream) const { return reinterpret_cast<std::uintptr_t>(stream); }
  /// Whether the handle means a different stream in each thread.
  virtual bool is_per_thread(CUstream_st*) const { return false; }

  virtual CUstream_st* create_stream() { return nullptr; }
  virtual void destroy_stream(CUstream_st*) noexcept {}

  virtual void* allocate(std::int64_t bytes) = 0;  ///< throws Error (out_of_memory); 256-byte aligned
  virtual void deallocate(void* memory) noexcept = 0;

  /// Returns the resource that the host program has set, or null.
  std::shared_ptr<MemoryResource> program_resource();
  /// The device's own resource for memory in stream order. By default allocate() and deallocate(), for devices whose
  /// work is complete when a call returns.
  virtual std::shared_ptr<MemoryResource> own_memory_resource();
  void set_memory_resource(std::shared_ptr<MemoryResource> resource);

  // Host memory for fast copies to and from the device. Throws like allocate().
  virtual void* allocate_host(std::int64_t bytes) { return ::operator new(static_cast<std::size_t>(bytes)); }
  virtual void deallocate_host(void* memory) noexcept { ::operator delete(memory); }
  /// Whether the memory is page-locked.
  virtual bool is_pinned(const void* /*host*/, std::int64_t /*bytes*/) const { return true; }

  /// Returns why the current device cannot access this byte, as a clause whose subject is an array ("is in host memory
  /// ..."); else nullopt.
  virtual std::optional<std::string> why_inaccessible(const void* /*memory*/) const { return std::nullopt; }

  // Operations ordered on `stream`; copies wait until they are complete.
  virtual void copy_in(CUstream_st* stream, void* to, const void* host, std::int64_t bytes) = 0;
  virtual void copy_out(CUstream_st* stream, void* host, const void* from, std::int64_t bytes) = 0;
  virtual void fill_bytes(CUstream_st* stream, void* to, int byte, std::int64_t bytes) = 0;
  virtual void synchronize(CUstream_st* stream) = 0;
  /// Waits for all work on the device, as far as it can.
  virtual void synchronize_device() noexcept {}
  virtual bool is_capturing(CUstream_st*) { return false; }

  // Asynchronous copies with page-locked host memory, and events. The default implementations are for devices whose
  // work is complete when a call returns. An event that was never recorded counts as complete.
  virtual void start_copy_in(CUstream_st* stream, void* to, const void* host, std::int64_t bytes) {
    copy_in(stream, to, host, bytes);
  }
  virtual void start_copy_out(CUstream_st* stream, void* host, const void* from, std::int64_t bytes) {
    copy_out(stream, host, from, bytes);
  }
  virtual CUevent_st* create_event() { return nullptr; }
  virtual void destroy_event(CUevent_st*) noexcept {}
  virtual void record_event(CUevent_st*, CUstream_st*) {}
  virtual void wait_for_event(CUstream_st*, CUevent_st*) {}  ///< the stream waits
  virtual void synchronize_event(CUevent_st*) {}             ///< the host waits

  /// Makes these bytes of an allocation inaccessible to kernels; a device without memory checks ignores it.
  virtual void forbid(void*, std::int64_t) {}

  // What the next call of a function that is being judged may not build on; a device without memory checks ignores it.
  /// Its output has no contents: the call must not read these bytes before it writes them.
  virtual void forget_output(void*, std::int64_t /*bytes*/) {}
  /// Whether the array is an argument of the call.
  virtual void set_argument(const void*, std::int64_t /*bytes*/, bool /*is_argument*/) {}
  /// Earlier calls have left no values in variables of the module, except in those that may be kept.
  virtual void forget_state() {}
  /// The variable may be kept from call to call. Returns the variables there are if it is none of them.
  virtual std::vector<std::string> keep_state(const std::string& /*variable*/) { return {}; }

  /// Returns what the device has found wrong with the code that ran since the last call, even if its results were
  /// right.
  virtual std::optional<std::string> take_findings() { return std::nullopt; }

 private:
  std::mutex mutex_;
  std::shared_ptr<MemoryResource> resource_;  // set by the host program
};

/// Returns the backend of `device`. Throws Error (unsupported) when this build or machine does not have it.
Backend& backend(Device device);

/// Returns the backend of `device` if this build has it, whether or not the device can be used; else null.
Backend* built_backend(Device device) noexcept;

/// Registers the executor, which depends on this module and so cannot be referenced here.
void set_simt_backend(Backend& backend) noexcept;

Backend& cpu_backend();
#ifdef RAFTER_WITH_CUDA
Backend& cuda_backend();
/// Whether the memory is a GPU's and the CPU cannot access it. False in a process that has not used CUDA.
bool is_only_on_gpu(const void* memory);
#endif

}  // namespace rafter::core
