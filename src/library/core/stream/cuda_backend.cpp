#include <cuda.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <thread>
#include <tuple>

#include "library/core/stream/backend.hpp"
#include "library/core/stream/cuda_check.hpp"
#include "rafter/error.hpp"

namespace rafter::core {

namespace {

bool is_captured(CUstream_st* stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  check(cudaStreamIsCapturing(stream, &status), "cudaStreamIsCapturing");
  return status != cudaStreamCaptureStatusNone;
}

int attribute(cudaDeviceAttr which) {
  int device = 0;
  int value = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  check(cudaDeviceGetAttribute(&value, which, device), "cudaDeviceGetAttribute");
  return value;
}

struct MemoryInfo {
  std::int64_t free_bytes;
  std::int64_t total_bytes;
};

MemoryInfo memory_info() {
  std::size_t free = 0;
  std::size_t total = 0;
  check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  return {static_cast<std::int64_t>(free), static_cast<std::int64_t>(total)};
}

/// Checks the result of an allocation; reports the free memory if it failed.
void check_allocation(cudaError_t status, const char* call, std::int64_t bytes) {
  if (status != cudaErrorMemoryAllocation) return check(status, call);
  check_noexcept(status);
  throw Error(ErrorCode::out_of_memory, "cannot allocate " + std::to_string(bytes) + " bytes on the GPU: " +
                                            std::to_string(memory_info().free_bytes) + " are free");
}

/// The current device's default pool. On a GPU without pools, allocation is not stream-ordered and freeing waits for
/// all work.
class StreamOrderedPool final : public MemoryResource {
 public:
  void* allocate(std::int64_t bytes, CUstream_st* stream) override {
    void* memory = nullptr;
    const auto size = static_cast<std::size_t>(bytes);
    if (attribute(cudaDevAttrMemoryPoolsSupported) != 0) {
      check_allocation(cudaMallocAsync(&memory, size, stream), "cudaMallocAsync", bytes);
    } else {
      check_allocation(cudaMalloc(&memory, size), "cudaMalloc", bytes);
    }
    return memory;
  }
  void deallocate(void* memory, std::int64_t, CUstream_st* stream) noexcept override {
    int device = 0;
    int has_pools = 0;
    check_noexcept(cudaGetDevice(&device));
    check_noexcept(cudaDeviceGetAttribute(&has_pools, cudaDevAttrMemoryPoolsSupported, device));
    check_noexcept(has_pools != 0 ? cudaFreeAsync(memory, stream) : cudaFree(memory));
  }
};

class CudaBackend final : public Backend {
 public:
  Device device() const noexcept override { return Device::cuda; }

  std::optional<std::string> why_unavailable() const override {
    if (n_devices_ > 0) return std::nullopt;  // called for every stream
    int n_devices = 0;
    const cudaError_t status = cudaGetDeviceCount(&n_devices);
    if (status == cudaSuccess && n_devices > 0) {
      n_devices_ = n_devices;
      return std::nullopt;
    }
    check_noexcept(status);
    int driver = 0;
    check_noexcept(cudaDriverGetVersion(&driver));
    if (driver == 0) return "this machine has no NVIDIA driver";
    return std::string("no usable GPU: ") + (status == cudaSuccess ? "none is visible" : cudaGetErrorString(status));
  }

  int n_multiprocessors() const override { return attribute(cudaDevAttrMultiProcessorCount); }
  std::int64_t available_bytes() const override { return memory_info().free_bytes; }

  int n_ordinals() const override { return n_devices_; }
  int current_ordinal() const override {
    int device = 0;
    check(cudaGetDevice(&device), "cudaGetDevice");
    return device;
  }
  void make_current(int ordinal) override { check(cudaSetDevice(ordinal), "cudaSetDevice"); }

  std::int64_t scratch_limit() const override {
    // Single-pass ops keep 16 bytes per tile of 32 KiB or more; a scatter by many keys sorts pieces of its input.
    return std::max(first_scratch_bytes(0), memory_info().total_bytes / 1024);
  }

  /// CUDA does not report the id of a stream that is being captured; then the handle's last known id is used. A handle
  /// without a known id gets one that no stream has: its state has no memory.
  std::uint64_t stream_id(CUstream_st* stream) const override {
    const std::tuple key{stream, current_ordinal(),
                         is_per_thread(stream) ? std::this_thread::get_id() : std::thread::id()};
    const bool captured = is_captured(stream);
    const std::lock_guard lock(ids_mutex_);
    if (captured) {
      const auto known = ids_.find(key);
      return known != ids_.end() ? known->second : ~reinterpret_cast<std::uintptr_t>(stream);
    }
    unsigned long long id = 0;
    check(cudaStreamGetId(stream, &id), "cudaStreamGetId");
    return ids_[key] = id;
  }
  bool is_per_thread(CUstream_st* stream) const override { return stream == cudaStreamPerThread; }

  CUstream_st* create_stream() override {
    cudaStream_t stream = nullptr;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    return stream;
  }
  void destroy_stream(CUstream_st* stream) noexcept override { check_noexcept(cudaStreamDestroy(stream)); }

  void* allocate(std::int64_t bytes) override {
    void* memory = nullptr;
    check_allocation(cudaMalloc(&memory, static_cast<std::size_t>(bytes)), "cudaMalloc", bytes);
    return memory;
  }
  void deallocate(void* memory) noexcept override { check_noexcept(cudaFree(memory)); }

  void* allocate_host(std::int64_t bytes) override {
    void* memory = nullptr;
    check(cudaMallocHost(&memory, static_cast<std::size_t>(bytes)), "cudaMallocHost");
    return memory;
  }
  void deallocate_host(void* memory) noexcept override { check_noexcept(cudaFreeHost(memory)); }
  bool is_pinned(const void* host, std::int64_t bytes) const override {
    const auto* first = static_cast<const char*>(host);
    return is_page_locked(first) && is_page_locked(first + std::max<std::int64_t>(0, bytes - 1));
  }

  std::optional<std::string> why_inaccessible(const void* memory) const override {
    cudaPointerAttributes attributes{};
    check(cudaPointerGetAttributes(&attributes, memory), "cudaPointerGetAttributes");
    const std::string gpu = "GPU " + std::to_string(current_ordinal());
    switch (attributes.type) {
      case cudaMemoryTypeUnregistered:
        if (attribute(cudaDevAttrPageableMemoryAccess) != 0) return std::nullopt;
        return "is in host memory, which " + gpu +
               " cannot access; expected memory of a GPU, managed memory or page-locked host memory";
      case cudaMemoryTypeHost:
        if (attributes.devicePointer == memory) return std::nullopt;
        return "is in page-locked host memory that " + gpu + " cannot access at this address";
      case cudaMemoryTypeDevice: {
        if (attributes.device == current_ordinal()) return std::nullopt;
        int is_peer = 0;
        check(cudaDeviceCanAccessPeer(&is_peer, current_ordinal(), attributes.device), "cudaDeviceCanAccessPeer");
        if (is_peer != 0) return std::nullopt;
        return "is in memory of GPU " + std::to_string(attributes.device) + ", which " + gpu + " cannot access";
      }
      default: return std::nullopt;  // managed
    }
  }

  void copy_in(CUstream_st* stream, void* to, const void* host, std::int64_t bytes) override {
    copy(stream, to, host, bytes, cudaMemcpyHostToDevice);
  }
  void copy_out(CUstream_st* stream, void* host, const void* from, std::int64_t bytes) override {
    copy(stream, host, from, bytes, cudaMemcpyDeviceToHost);
  }
  void fill_bytes(CUstream_st* stream, void* to, int byte, std::int64_t bytes) override {
    if (bytes > 0) check(cudaMemsetAsync(to, byte, static_cast<std::size_t>(bytes), stream), "cudaMemsetAsync");
  }
  void synchronize(CUstream_st* stream) override { check(cudaStreamSynchronize(stream), "cudaStreamSynchronize"); }
  void synchronize_device() noexcept override { check_noexcept(cudaDeviceSynchronize()); }

  bool is_capturing(CUstream_st* stream) override { return is_captured(stream); }

  void start_copy_in(CUstream_st* stream, void* to, const void* host, std::int64_t bytes) override {
    start_copy(stream, to, host, bytes, cudaMemcpyHostToDevice);
  }
  void start_copy_out(CUstream_st* stream, void* host, const void* from, std::int64_t bytes) override {
    start_copy(stream, host, from, bytes, cudaMemcpyDeviceToHost);
  }
  CUevent_st* create_event() override {
    cudaEvent_t event = nullptr;
    check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreateWithFlags");
    return event;
  }
  void destroy_event(CUevent_st* event) noexcept override { check_noexcept(cudaEventDestroy(event)); }
  void record_event(CUevent_st* event, CUstream_st* stream) override {
    check(cudaEventRecord(event, stream), "cudaEventRecord");
  }
  void wait_for_event(CUstream_st* stream, CUevent_st* event) override {
    check(cudaStreamWaitEvent(stream, event, 0), "cudaStreamWaitEvent");
  }
  void synchronize_event(CUevent_st* event) override { check(cudaEventSynchronize(event), "cudaEventSynchronize"); }
  std::shared_ptr<MemoryResource> own_memory_resource() override { return pool_; }

 private:
  static void start_copy(CUstream_st* stream, void* to, const void* from, std::int64_t bytes, cudaMemcpyKind kind) {
    if (bytes == 0) return;
    check(cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes), kind, stream), "cudaMemcpyAsync");
  }
  static void copy(CUstream_st* stream, void* to, const void* from, std::int64_t bytes, cudaMemcpyKind kind) {
    if (bytes == 0) return;
    start_copy(stream, to, from, bytes, kind);
    check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  }

  static bool is_page_locked(const void* host) {
    cudaPointerAttributes attributes{};
    check(cudaPointerGetAttributes(&attributes, host), "cudaPointerGetAttributes");
    return attributes.type == cudaMemoryTypeHost;
  }

  mutable std::atomic<int> n_devices_ = 0;  // 0: none found yet
  std::shared_ptr<MemoryResource> pool_ = std::make_shared<StreamOrderedPool>();
  mutable std::mutex ids_mutex_;
  mutable std::map<std::tuple<CUstream_st*, int, std::thread::id>, std::uint64_t> ids_;  // last known ids
};

/// The driver's query, if the process has already initialised CUDA. Asking never initialises it: a program that uses
/// the CPU only may still fork.
using PointerQuery = CUresult (*)(unsigned, CUpointer_attribute*, void**, CUdeviceptr);

PointerQuery loaded_pointer_query() {
  void* const driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  if (driver == nullptr) return nullptr;
  void* const query = dlsym(driver, "cuPointerGetAttributes");
  dlclose(driver);  // the process keeps its own reference
  return reinterpret_cast<PointerQuery>(query);
}

}  // namespace

bool is_only_on_gpu(const void* memory) {
  const PointerQuery query = loaded_pointer_query();
  if (query == nullptr) return false;
  CUmemorytype type{};
  unsigned is_managed = 0;
  CUpointer_attribute which[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED};
  void* values[] = {&type, &is_managed};
  const auto address = static_cast<CUdeviceptr>(reinterpret_cast<std::uintptr_t>(memory));
  return query(2, which, values, address) == CUDA_SUCCESS && type == CU_MEMORYTYPE_DEVICE && is_managed == 0;
}

Backend& cuda_backend() {
  static CudaBackend backend;
  return backend;
}

}  // namespace rafter::core
