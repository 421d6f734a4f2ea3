// Times every launch and copy of a CUDA program on its GPU. nvcc compiles it with the program's own files and links it
// so that it intercepts the program's calls (--wrap). At the program's end the times are in the file that
// RAFTER_LAUNCHES names, one line each:
// //
// kernel NAME NANOSECONDS      between two events around a launch, in the launch's stream
// copy KIND BYTES NANOSECONDS  of cudaMemcpy by the host's clock, of cudaMemcpyAsync between events
// wall NANOSECONDS             from the first runtime call to the end
// //
// with tabs between the words. Launches captured into a graph are not timed but reported: "captured NAME".
#pragma once

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace rafter_recorder {

using Clock = std::chrono::steady_clock;

inline double ns_since(Clock::time_point start) {
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

struct Timed {
  std::string line;  // without its time
  cudaEvent_t start, stop;
};

class Recorder {
 public:
  static Recorder& get() {
    static Recorder* recorder = new Recorder;  // never destroyed: it is used at the very end
    return *recorder;
  }

  void name_function(const void* host, const char* device_name) { functions_[host] = device_name; }
  void name_kernel(const void* kernel, const void* host) {
    const auto found = functions_.find(host);
    if (found != functions_.end()) functions_[kernel] = found->second;
  }

  /// Runs `work` in the stream between two events.
  template <class Work>
  cudaError_t time(const std::string& line, cudaStream_t stream, const Work& work) {
    const std::lock_guard<std::mutex> lock(mutex_);
    begin();
    cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
    Timed timed{line, nullptr, nullptr};
    const bool counts = cudaStreamIsCapturing(stream, &capture) == cudaSuccess &&
                        capture == cudaStreamCaptureStatusNone && cudaEventCreate(&timed.start) == cudaSuccess &&
                        cudaEventCreate(&timed.stop) == cudaSuccess;
    if (!counts) {
      if (capture != cudaStreamCaptureStatusNone) lines_.push_back("captured\t" + line.substr(line.find('\t') + 1));
      return work();
    }
    (void)cudaEventRecord(timed.start, stream);
    const cudaError_t error = work();
    (void)cudaEventRecord(timed.stop, stream);
    pending_.push_back(timed);
    constexpr std::size_t most_pending = 20000;
    if (pending_.size() >= most_pending) collect();
    return error;
  }

  template <class Work>
  cudaError_t time_on_host(const std::string& line, const Work& work) {
    const std::lock_guard<std::mutex> lock(mutex_);
    begin();
    (void)cudaDeviceSynchronize();  // waits for kernels first, so that their time does not count as the copy's
    const auto start = Clock::now();
    const cudaError_t error = work();
    add(line, ns_since(start));
    return error;
  }

  std::string kernel_line(const void* function) const {
    const auto found = functions_.find(function);
    return "kernel\t" + (found != functions_.end() ? found->second : std::string("?"));
  }

  /// Collects the pending times; called before the device is reset and at the end.
  void collect() {
    for (Timed& timed : pending_) {
      float ms = 0;
      if (cudaEventSynchronize(timed.stop) == cudaSuccess &&
          cudaEventElapsedTime(&ms, timed.start, timed.stop) == cudaSuccess)
        add(timed.line, 1e6 * static_cast<double>(ms));
      (void)cudaEventDestroy(timed.start);
      (void)cudaEventDestroy(timed.stop);
    }
    pending_.clear();
  }

 private:
  void begin() {
    if (began_) return;
    began_ = true;
    start_ = Clock::now();
    std::atexit([] { get().write(); });
  }

  void add(const std::string& line, double ns) { lines_.push_back(line + "\t" + std::to_string(ns)); }

  void write() {
    collect();
    const char* path = std::getenv("RAFTER_LAUNCHES");
    std::FILE* file = path != nullptr ? std::fopen(path, "w") : nullptr;
    if (file == nullptr) return;
    for (const std::string& line : lines_) std::fprintf(file, "%s\n", line.c_str());
    std::fprintf(file, "wall\t%f\n", ns_since(start_));
    std::fclose(file);
  }

  std::mutex mutex_;
  bool began_ = false;
  Clock::time_point start_;
  std::map<const void*, std::string> functions_;
  std::vector<Timed> pending_;
  std::vector<std::string> lines_;
};

inline std::string copy_line(cudaMemcpyKind kind, std::size_t bytes) {
  const char* names[] = {"host to host", "host to device", "device to host", "device to device", "default"};
  return std::string("copy\t") + names[static_cast<int>(kind) % 5] + "\t" + std::to_string(bytes);
}

}  // namespace rafter_recorder

extern "C" {

using rafter_recorder::Recorder;

void __real___cudaRegisterFunction(void** handle, const char* host, char* device, const char* name, int limit, void* a,
                                   void* b, void* c, void* d, int* e);
void __wrap___cudaRegisterFunction(void** handle, const char* host, char* device, const char* name, int limit, void* a,
                                   void* b, void* c, void* d, int* e) {
  Recorder::get().name_function(host, name);
  __real___cudaRegisterFunction(handle, host, device, name, limit, a, b, c, d, e);
}

#if CUDART_VERSION >= 12080
// From here on launches use handles, which are looked up by the kernel's function.
cudaError_t __real___cudaGetKernel(cudaKernel_t* kernel, const void* host);
cudaError_t __wrap___cudaGetKernel(cudaKernel_t* kernel, const void* host) {
  const cudaError_t error = __real___cudaGetKernel(kernel, host);
  if (error == cudaSuccess) Recorder::get().name_kernel(*kernel, host);
  return error;
}

cudaError_t __real___cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                                      cudaStream_t stream);
cudaError_t __wrap___cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                                      cudaStream_t stream) {
  return Recorder::get().time(Recorder::get().kernel_line(kernel), stream, [&] {
    return __real___cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
  });
}
#endif

cudaError_t __real_cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                                    cudaStream_t stream);
cudaError_t __wrap_cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                                    cudaStream_t stream) {
  return Recorder::get().time(Recorder::get().kernel_line(function), stream, [&] {
    return __real_cudaLaunchKernel(function, grid, block, arguments, shared, stream);
  });
}

cudaError_t __real_cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                               std::size_t shared, cudaStream_t stream);
cudaError_t __wrap_cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                               std::size_t shared, cudaStream_t stream) {
  return Recorder::get().time(Recorder::get().kernel_line(function), stream, [&] {
    return __real_cudaLaunchCooperativeKernel(function, grid, block, arguments, shared, stream);
  });
}

cudaError_t __real_cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function, void** arguments);
cudaError_t __wrap_cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function, void** arguments) {
  return Recorder::get().time(Recorder::get().kernel_line(function), config->stream,
                              [&] { return __real_cudaLaunchKernelExC(config, function, arguments); });
}

cudaError_t __real_cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
cudaError_t __wrap_cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return Recorder::get().time_on_host(rafter_recorder::copy_line(kind, bytes),
                                      [&] { return __real_cudaMemcpy(to, from, bytes, kind); });
}

cudaError_t __real_cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                                   cudaStream_t stream);
cudaError_t __wrap_cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                                   cudaStream_t stream) {
  return Recorder::get().time(rafter_recorder::copy_line(kind, bytes), stream,
                              [&] { return __real_cudaMemcpyAsync(to, from, bytes, kind, stream); });
}

cudaError_t __real_cudaDeviceReset();
cudaError_t __wrap_cudaDeviceReset() {
  Recorder::get().collect();
  return __real_cudaDeviceReset();
}

}  // extern "C"
