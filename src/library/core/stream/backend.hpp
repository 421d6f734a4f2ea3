// What a device must offer to streams and buffers; one implementation per device.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>

#include "rafter/device.hpp"
#include "rafter/memory_resource.hpp"

struct CUevent_st;
struct CUstream_st;

namespace rafter::core {

class Backend {
 public:
  virtual ~Backend() = default;

  virtual Device device() const noexcept = 0;

  /// Nothing when the device can be used; otherwise why not.
  virtual std::optional<std::string> why_unavailable() const = 0;
  virtual int n_multiprocessors() const { return 0; }
  virtual std::int64_t available_bytes() const = 0;  ///< of memory, now

  // A backend may have several devices, known by ordinals; all that follows happens on the calling thread's current
  // one.
  virtual int n_ordinals() const { return 1; }
  virtual int current_ordinal() const { return 0; }
  virtual void make_current(int /*ordinal*/) {}

  /// The scratch a stream takes when it first needs some, and the most that ops of the library ask for: enough for the
  /// partial results of any op on anything that fits into the memory.
  virtual std::int64_t first_scratch_bytes() const { return 256 << 10; }
  virtual std::int64_t scratch_limit() const { return first_scratch_bytes(); }

  /// A number for a stream that no other stream of this process has or will have.
  virtual std::uint64_t stream_id(CUstream_st* stream) const { return reinterpret_cast<std::uintptr_t>(stream); }
  /// Whether the handle means another stream in each thread.
  virtual bool is_per_thread(CUstream_st*) const { return false; }

  virtual CUstream_st* create_stream() { return nullptr; }
  virtual void destroy_stream(CUstream_st*) noexcept {}

  virtual void* allocate(std::int64_t bytes) = 0;  ///< throws Error (out_of_memory); 256-byte aligned
  virtual void deallocate(void* memory) noexcept = 0;

  /// Where streams take scratch: what the host program brought, or the device's own.
  std::shared_ptr<MemoryResource> memory_resource();
  void set_memory_resource(std::shared_ptr<MemoryResource> resource);

  // Host memory that copies to and from the device are fast with. Throws as allocate() does.
  virtual void* allocate_host(std::int64_t bytes) { return ::operator new(static_cast<std::size_t>(bytes)); }
  virtual void deallocate_host(void* memory) noexcept { ::operator delete(memory); }
  /// Whether some memory is such.
  virtual bool is_pinned(const void* /*host*/, std::int64_t /*bytes*/) const { return true; }

  // All of these are ordered on `stream`; copies wait until they are done.
  virtual void copy_in(CUstream_st* stream, void* to, const void* host, std::int64_t bytes) = 0;
  virtual void copy_out(CUstream_st* stream, void* host, const void* from, std::int64_t bytes) = 0;
  virtual void fill_bytes(CUstream_st* stream, void* to, int byte, std::int64_t bytes) = 0;
  virtual void synchronize(CUstream_st* stream) = 0;
  virtual bool is_capturing(CUstream_st*) { return false; }

  // Copies with such host memory that have only begun when these return, and points in a stream's order to wait for.
  // Unless overridden: for devices whose work has ended when a call returns. An event that was never recorded is past.
  virtual void start_copy_in(CUstream_st* stream, void* to, const void* host, std::int64_t bytes) {
    copy_in(stream, to, host, bytes);
  }
  virtual void start_copy_out(CUstream_st* stream, void* host, const void* from, std::int64_t bytes) {
    copy_out(stream, host, from, bytes);
  }
  virtual CUevent_st* create_event() { return nullptr; }
  virtual void destroy_event(CUevent_st*) noexcept {}
  virtual void record_event(CUevent_st*, CUstream_st*) {}
  virtual void wait_for_event(CUstream_st*, CUevent_st*) {}  ///< the stream does
  virtual void synchronize_event(CUevent_st*) {}             ///< the host does

  /// From now on nobody on the device may touch these bytes of an allocation; a device that cannot watch forgets it.
  virtual void forbid(void*, std::int64_t) {}

  /// What the device found wrong with the code that ran since the last question, though it may have given right
  /// answers.
  virtual std::optional<std::string> take_complaints() { return std::nullopt; }

 private:
  /// Unless overridden: allocate() and deallocate(), on devices whose work has ended when a call returns.
  virtual std::shared_ptr<MemoryResource> own_memory_resource();

  std::mutex mutex_;
  std::shared_ptr<MemoryResource> resource_;  // the host program's
};

/// The backend of `device`; throws Error (unsupported) when this build or machine has none.
Backend& backend(Device device);

/// The backend of `device` if this build has one, whether or not the device can be used.
Backend* built_backend(Device device) noexcept;

/// Brings the executor, which is built on top of this room.
void set_simt_backend(Backend& backend) noexcept;

Backend& cpu_backend();
#ifdef RAFTER_WITH_CUDA
Backend& cuda_backend();
#endif

}  // namespace rafter::core
