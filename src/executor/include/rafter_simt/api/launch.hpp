// Launches without <<<>>>: cudaLaunchKernel and the like. A kernel given by its type is launched directly; one that was
// cast to void* is launched if know_kernel() has registered it before.
#pragma once

#include <utility>

#include "rafter_simt/api/functions.hpp"
#include "rafter_simt/launch/launch.hpp"

namespace rafter_simt {

/// Launches the kernel that it was instantiated for with unpacked arguments; returns a cudaError_t.
using KernelLauncher = int (*)(const void* kernel, const Shape& shape, void** arguments, Cooperative cooperative);

}  // namespace rafter_simt

#pragma GCC visibility push(default)
extern "C" {
void rafter_simt_know_kernel(const void* kernel, rafter_simt::KernelLauncher launcher);
/// Returns the kernel's name, or "kernel" if it is unknown; valid for the lifetime of the program.
const char* rafter_simt_kernel_name(const void* kernel);
/// Reads a configuration's attributes, including clusters, into `shape`.
rafter_simt::Cooperative rafter_simt_launch_attributes(const cudaLaunchConfig_t* config, rafter_simt::Shape* shape);
}
#pragma GCC visibility pop

namespace rafter_simt {

/// A kernel and its arguments by value, as every thread gets them.
template <class... Parameters>
struct KernelCall {
  void (*kernel)(Parameters...);
  Pack<std::decay_t<Parameters>...> values;

  void operator()() {
    values.apply([&](auto&... value) {
      RAFTER_SIMT_LIST((value...));
      TakingBytes()(kernel)(CopyBytes()(value)...);
    });
  }

  static void locate(void* closure, void** arguments) {
    static_cast<KernelCall*>(closure)->values.apply([&](auto&... value) {
      void* const all[sizeof...(value) + 1] = {(void*)std::addressof(value)..., nullptr};
      for (std::size_t i = 0; i < sizeof...(value); ++i) arguments[i] = all[i];
    });
  }
};

template <class... Parameters>
int launch_call(void (*kernel)(Parameters...), const Shape& shape, Pack<std::decay_t<Parameters>...> values,
                Cooperative cooperative) {
  const char* const name = rafter_simt_kernel_name(reinterpret_cast<const void*>(kernel));
  using Call = KernelCall<Parameters...>;
  return launch(name, shape, Call{kernel, std::move(values)}, cooperative,
                {reinterpret_cast<const void*>(kernel), sizeof...(Parameters), &Call::locate, &list_arguments<Call>});
}

template <class... Parameters, std::size_t... index>
Pack<std::decay_t<Parameters>...> unpack(void** arguments, std::index_sequence<index...>) {
  (void)arguments;
  return make_pack(*static_cast<std::decay_t<Parameters>*>(arguments[index])...);
}

template <class... Parameters>
int launch_unpacked(const void* kernel, const Shape& shape, void** arguments, Cooperative cooperative) {
  return launch_call(reinterpret_cast<void (*)(Parameters...)>(const_cast<void*>(kernel)), shape,
                     unpack<Parameters...>(arguments, std::index_sequence_for<Parameters...>()), cooperative);
}

/// Registers `kernel`, so that cudaLaunchKernel can launch it when it is cast to void*.
template <class... Parameters>
bool know_kernel(void (*kernel)(Parameters...)) {
  rafter_simt_know_kernel(reinterpret_cast<const void*>(kernel), &launch_unpacked<Parameters...>);
  return true;
}

template <class Other>
Other known_kernel(Other other) {
  return other;
}

/// Returns the name of a kernel that is launched through a value, such as a pointer in a variable or an array; `text`
/// for a callee that is no pointer to a function.
template <class... Parameters>
const char* name_of(void (*kernel)(Parameters...), const char*) {
  return rafter_simt_kernel_name(reinterpret_cast<const void*>(kernel));
}
template <class Callee>
const char* name_of(const Callee&, const char* text) {
  return text;
}

/// Registers a kernel where it is cast to a void pointer, so that it can later be launched without its type.
template <class... Parameters>
auto known_kernel(void (*kernel)(Parameters...)) {
  know_kernel(kernel);
  return kernel;
}

}  // namespace rafter_simt

// Inlined for the same reason as the runtime API's other templates.
template <class... Parameters>
inline __attribute__((always_inline)) cudaError_t cudaLaunchKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block,
                                                                   void** arguments, std::size_t shared_bytes = 0,
                                                                   cudaStream_t stream = nullptr) {
  rafter_simt::know_kernel(kernel);
  return cudaLaunchKernel((const void*)kernel, grid, block, arguments, shared_bytes, stream);
}

template <class... Parameters>
inline __attribute__((always_inline)) cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(Parameters...), dim3 grid,
                                                                              dim3 block, void** arguments,
                                                                              std::size_t shared_bytes = 0,
                                                                              cudaStream_t stream = nullptr) {
  rafter_simt::know_kernel(kernel);
  return cudaLaunchCooperativeKernel((const void*)kernel, grid, block, arguments, shared_bytes, stream);
}

template <class... Parameters>
inline __attribute__((always_inline)) cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config,
                                                                      void (*kernel)(Parameters...), void** arguments) {
  rafter_simt::know_kernel(kernel);
  return cudaLaunchKernelExC(config, (const void*)kernel, arguments);
}

template <class... Parameters, class... Arguments>
inline __attribute__((always_inline)) cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config,
                                                                     void (*kernel)(Parameters...),
                                                                     Arguments&&... arguments) {
  auto values = rafter_simt::make_pack(static_cast<std::decay_t<Parameters>>(arguments)...);
  return values.apply([&](auto&... value) {
    void* pointers[sizeof...(value) + 1] = {(void*)std::addressof(value)..., nullptr};
    return cudaLaunchKernelExC(config, kernel, pointers);
  });
}
