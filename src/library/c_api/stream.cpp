// Streams, buffers, and the memory and threads of the host program.
#include <memory>
#include <optional>

#include "library/c_api/callbacks.hpp"
#include "library/c_api/handles.hpp"
#include "rafter/buffer.hpp"
#include "rafter/device.hpp"
#include "rafter/memory_resource.hpp"
#include "rafter/thread_pool.hpp"

struct rafter_buffer {
  rafter::Buffer<std::byte> bytes;
};

namespace rafter::c_api {

namespace {

Device device_of(const Function& function, std::int32_t device_type) {
  if (device_type == RAFTER_DEVICE_CPU) return Device::cpu;
  if (device_type == RAFTER_DEVICE_CUDA) return Device::cuda;
  refuse(function, "device_type",
         "should be RAFTER_DEVICE_CPU (1) or RAFTER_DEVICE_CUDA (2), is " + std::to_string(device_type));
}

class HostMemoryResource final : public MemoryResource {
 public:
  explicit HostMemoryResource(const rafter_memory_resource& callbacks) : host_(callbacks) {}
  void accept() noexcept { host_.accept(); }
  void* allocate(std::int64_t bytes, CUstream_st* stream) override {
    return host_->allocate(host_->context, bytes, stream);
  }
  void deallocate(void* memory, std::int64_t bytes, CUstream_st* stream) noexcept override {
    try {
      host_->deallocate(host_->context, memory, bytes, stream);
    } catch (...) {  // it cannot be reported; the memory is the host program's
    }
  }

 private:
  Released<rafter_memory_resource> host_;
};

class HostThreadPool final : public ThreadPool {
 public:
  explicit HostThreadPool(const rafter_thread_pool& callbacks) : host_(callbacks) {}
  void accept() noexcept { host_.accept(); }
  int n_threads() const noexcept override { return host_->n_threads; }
  void run(int n, void (*task)(void* context, int i), void* context) override {
    const rafter_status status = host_->run(host_->context, n, task, context);
    if (status != RAFTER_OK)
      throw std::runtime_error("the thread pool of the host program failed with status " + std::to_string(status));
  }

 private:
  Released<rafter_thread_pool> host_;
};

template <class Address>
void require_range(const Function& function, const rafter_buffer* buffer, std::int64_t offset, Address* host,
                   std::int64_t bytes) {
  const std::int64_t size = required(function, "buffer", buffer).bytes.size();
  if (bytes < 0 || offset < 0 || offset > size || bytes > size - offset)
    refuse(function, "bytes",
           "should lie inside the buffer of " + std::to_string(size) + " bytes, are " + std::to_string(bytes) +
               " from offset " + std::to_string(offset) + " on");
  if (bytes > 0) required(function, "host", static_cast<const std::byte*>(host));
}

}  // namespace

}  // namespace rafter::c_api

namespace c = rafter::c_api;

rafter_status rafter_device_available(int32_t device_type) noexcept {
  return c::guarded(c::Function("rafter_device_available"), [&](const c::Function& function) {
    if (const auto why = rafter::why_unavailable(c::device_of(function, device_type)))
      throw rafter::Error(rafter::ErrorCode::unsupported, *why);
  });
}

rafter_status rafter_stream_cpu(int32_t n_threads, rafter_stream** stream) noexcept {
  return c::created(c::Function("rafter_stream_cpu", "Stream::cpu"), "stream", stream,
                    [&](const c::Function&) { return rafter::Stream::cpu(n_threads); });
}

rafter_status rafter_stream_cuda(void* cuda_stream, int32_t ordinal, rafter_stream** stream) noexcept {
  return c::created(c::Function("rafter_stream_cuda"), "stream", stream, [&](const c::Function&) {
    return rafter::Stream::cuda(static_cast<CUstream_st*>(cuda_stream), ordinal);
  });
}

rafter_status rafter_stream_new_cuda(int32_t ordinal, rafter_stream** stream) noexcept {
  return c::created(c::Function("rafter_stream_new_cuda"), "stream", stream,
                    [&](const c::Function&) { return rafter::Stream::on(rafter::Device::cuda, ordinal); });
}

void rafter_stream_destroy(rafter_stream* stream) noexcept { delete stream; }

rafter_status rafter_stream_device(const rafter_stream* stream, rafter_device* device) noexcept {
  return c::guarded(c::Function("rafter_stream_device"), [&](const c::Function& function) {
    const rafter::Stream& of = c::stream_of(function, stream);
    rafter_device& result = c::required(function, "device", device);
    const bool on_gpu = of.device() == rafter::Device::cuda;
    using Type = decltype(result.device_type);
    result.device_type = static_cast<Type>(on_gpu ? RAFTER_DEVICE_CUDA : RAFTER_DEVICE_CPU);
    result.device_id = of.ordinal();
  });
}

rafter_status rafter_stream_handle(const rafter_stream* stream, void** cuda_stream) noexcept {
  return c::guarded(c::Function("rafter_stream_handle"), [&](const c::Function& function) {
    const rafter::Stream& of = c::stream_of(function, stream);
    c::required(function, "cuda_stream", cuda_stream) = of.handle();
  });
}

rafter_status rafter_stream_check_pointers(const rafter_stream* stream, int32_t check) noexcept {
  return c::guarded(c::Function("rafter_stream_check_pointers"), [&](const c::Function& function) {
    c::stream_of(function, stream).check_pointers(check != 0 ? rafter::PointerCheck::on : rafter::PointerCheck::off);
  });
}

rafter_status rafter_stream_synchronize(const rafter_stream* stream) noexcept {
  return c::guarded(c::Function("rafter_stream_synchronize"),
                    [&](const c::Function& function) { c::stream_of(function, stream).synchronize(); });
}

rafter_status rafter_stream_reserve(const rafter_stream* stream, int64_t bytes) noexcept {
  return c::guarded(c::Function("rafter_stream_reserve"), [&](const c::Function& function) {
    const rafter::Stream& of = c::stream_of(function, stream);
    if (bytes < -1) c::refuse(function, "bytes", "should be 0 or more, or -1, is " + std::to_string(bytes));
    return bytes == -1 ? of.reserve() : of.reserve(bytes);
  });
}

rafter_status rafter_stream_release(const rafter_stream* stream) noexcept {
  return c::guarded(c::Function("rafter_stream_release"),
                    [&](const c::Function& function) { c::stream_of(function, stream).release(); });
}

rafter_status rafter_buffer_create(const rafter_stream* stream, int64_t bytes, rafter_buffer** buffer) noexcept {
  return c::created(c::Function("rafter_buffer_create", "Buffer"), "buffer", buffer, [&](const c::Function& function) {
    const rafter::Stream& of = c::stream_of(function, stream);
    if (bytes < 0) c::refuse(function, "bytes", "should be 0 or more, is " + std::to_string(bytes));
    return rafter::Buffer<std::byte>(of, bytes);
  });
}

void rafter_buffer_destroy(rafter_buffer* buffer) noexcept { delete buffer; }

void* rafter_buffer_data(const rafter_buffer* buffer) noexcept {
  return buffer ? const_cast<rafter_buffer*>(buffer)->bytes.data() : nullptr;
}

rafter_status rafter_buffer_write(rafter_buffer* buffer, int64_t offset, const void* host, int64_t bytes) noexcept {
  return c::guarded(c::Function("rafter_buffer_write"), [&](const c::Function& function) {
    c::require_range(function, buffer, offset, host, bytes);
    if (bytes > 0) rafter::detail::copy_in(buffer->bytes.stream(), buffer->bytes.data() + offset, host, bytes);
  });
}

rafter_status rafter_buffer_read(const rafter_buffer* buffer, int64_t offset, void* host, int64_t bytes) noexcept {
  return c::guarded(c::Function("rafter_buffer_read"), [&](const c::Function& function) {
    c::require_range(function, buffer, offset, host, bytes);
    if (bytes > 0) rafter::detail::copy_out(buffer->bytes.stream(), host, buffer->bytes.data() + offset, bytes);
  });
}

rafter_status rafter_set_memory_resource(int32_t device_type, const rafter_memory_resource* resource) noexcept {
  return c::guarded(c::Function("rafter_set_memory_resource"), [&](const c::Function& function) {
    const rafter::Device device = c::device_of(function, device_type);
    if (resource == nullptr) return rafter::set_memory_resource(device, nullptr);
    const auto callbacks = c::read_struct(function, "resource", resource, sizeof(rafter_memory_resource));
    if (callbacks.allocate == nullptr) c::refuse(function, "resource.allocate", "is null");
    if (callbacks.deallocate == nullptr) c::refuse(function, "resource.deallocate", "is null");
    const auto adapter = std::make_shared<c::HostMemoryResource>(callbacks);
    rafter::set_memory_resource(device, adapter);
    adapter->accept();
  });
}

rafter_status rafter_set_thread_pool(const rafter_thread_pool* pool) noexcept {
  return c::guarded(c::Function("rafter_set_thread_pool"), [&](const c::Function& function) {
    if (pool == nullptr) return rafter::set_thread_pool(nullptr);
    const auto callbacks = c::read_struct(function, "pool", pool, sizeof(rafter_thread_pool));
    if (callbacks.run == nullptr) c::refuse(function, "pool.run", "is null");
    if (callbacks.n_threads < 1)
      c::refuse(function, "pool.n_threads", "should be 1 or more, is " + std::to_string(callbacks.n_threads));
    c::require_reserved(function, "pool.reserved", callbacks.reserved);
    const auto adapter = std::make_shared<c::HostThreadPool>(callbacks);
    rafter::set_thread_pool(adapter);
    adapter->accept();
  });
}
