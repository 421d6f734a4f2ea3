#include <cuda_runtime_api.h>

#include <algorithm>

#include "core/backend.hpp"
#include "core/cuda_check.hpp"
#include "rafter/error.hpp"

namespace rafter::core {

namespace {

class CudaBackend final : public Backend {
 public:
  std::optional<std::string> why_unavailable() const override {
    int n_devices = 0;
    const cudaError_t status = cudaGetDeviceCount(&n_devices);
    if (status == cudaSuccess && n_devices > 0) return std::nullopt;
    check_noexcept(status);
    int driver = 0;
    check_noexcept(cudaDriverGetVersion(&driver));
    if (driver == 0) return "there is no NVIDIA driver on this machine";
    return std::string("no usable GPU: ") + (status == cudaSuccess ? "none is visible" : cudaGetErrorString(status));
  }

  int n_multiprocessors() const override {
    int device = 0;
    int count = 0;
    check(cudaGetDevice(&device), "cudaGetDevice");
    check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device), "cudaDeviceGetAttribute");
    return count;
  }

  std::int64_t available_bytes() const override {
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    return static_cast<std::int64_t>(free);
  }

  std::int64_t scratch_bytes() const override {
    // Single-pass ops keep 16 bytes for every tile of 32 KiB or more; a scatter by many keys sorts pieces of its input.
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    return std::max(Backend::scratch_bytes(), static_cast<std::int64_t>(total / 1024));
  }

  CUstream_st* create_stream() override {
    cudaStream_t stream = nullptr;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    return stream;
  }
  void destroy_stream(CUstream_st* stream) noexcept override { check_noexcept(cudaStreamDestroy(stream)); }

  void* allocate(std::int64_t bytes) override {
    void* memory = nullptr;
    const cudaError_t status = cudaMalloc(&memory, static_cast<std::size_t>(bytes));
    if (status == cudaErrorMemoryAllocation) {
      check_noexcept(status);
      throw Error(ErrorCode::out_of_memory, "cannot allocate " + std::to_string(bytes) + " bytes on the GPU: " +
                                                std::to_string(available_bytes()) + " are free");
    }
    check(status, "cudaMalloc");
    return memory;
  }
  void deallocate(void* memory) noexcept override { check_noexcept(cudaFree(memory)); }

  void* allocate_host(std::int64_t bytes) override {
    void* memory = nullptr;
    check(cudaMallocHost(&memory, static_cast<std::size_t>(bytes)), "cudaMallocHost");
    return memory;
  }
  void deallocate_host(void* memory) noexcept override { check_noexcept(cudaFreeHost(memory)); }

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

  bool is_capturing(CUstream_st* stream) override {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    check(cudaStreamIsCapturing(stream, &status), "cudaStreamIsCapturing");
    return status != cudaStreamCaptureStatusNone;
  }

 private:
  static void copy(CUstream_st* stream, void* to, const void* from, std::int64_t bytes, cudaMemcpyKind kind) {
    if (bytes == 0) return;
    check(cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes), kind, stream), "cudaMemcpyAsync");
    check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  }
};

}  // namespace

Backend& cuda_backend() {
  static CudaBackend backend;
  return backend;
}

}  // namespace rafter::core
