// Runs one kernel without a host program. The runtime (executor/runtime/bare), which is compiled in advance, reads the
// arguments from the command line and writes results to .npy files; this header has the parts that depend on the
// kernel.
#pragma once

#include <initializer_list>
#include <type_traits>
#include <utility>

#include "rafter_simt/api/runtime_api.hpp"
#include "rafter_simt/launch/launch.hpp"

// The code around the kernel runs once: compile time matters more than its speed.
#pragma GCC push_options
#pragma GCC optimize("O0")

#include "rafter_simt/launch/parameter_types.hpp"

namespace rafter_simt {

/// Called with the addresses of the arguments' values, the grid and block dimensions, and the bytes of dynamic shared
/// memory.
using BareCall = void (*)(const void* self, void* const* values, const unsigned* grid, const unsigned* block,
                          std::size_t shared_bytes);

/// Runs the whole program. Returns its exit code; 2 if the arguments do not fit the kernel.
extern "C" int rafter_simt_run_bare(const char* kernel, const ParameterType* types, const char* const* names,
                                    std::size_t n_parameters, int argc, char** argv, BareCall call, const void* self);

#ifndef RAFTER_SIMT_RUNTIME

template <class... P>
struct BareKernel {
  void (*kernel)(P...);
  const char* name;

  void start(const Shape& shape, std::remove_cv_t<P>... values) const {
    const auto run = [kernel = kernel, values...]() mutable {
      RAFTER_SIMT_LIST((values...));
      kernel(values...);
    };
    launch(name, shape, run, Lists::arguments);
  }
  template <std::size_t... I>
  void start_with(void* const* values, const Shape& shape, std::index_sequence<I...>) const {
    start(shape, *static_cast<std::remove_cv_t<P>*>(values[I])...);
  }
  static void call(const void* self, void* const* values, const unsigned* grid, const unsigned* block,
                   std::size_t shared_bytes) {
    const auto* const own = static_cast<const BareKernel*>(self);
    constexpr std::size_t without_asking = 48 << 10;  // as bench and every program around a kernel would
    if (shared_bytes > without_asking)
      cudaFuncSetAttribute(own->kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_bytes));
    const Shape shape(dim3(grid[0], grid[1], grid[2]), dim3(block[0], block[1], block[2]), shared_bytes);
    own->start_with(values, shape, std::index_sequence_for<P...>());
  }
};

template <class... P>
int run_bare(void (*kernel)(P...), const char* name, std::initializer_list<const char*> names, int argc, char** argv) {
  const BareKernel<P...> self{kernel, name};
  const ParameterType types[] = {parameter_type<P>()..., {}};
  return rafter_simt_run_bare(name, types, names.begin(), sizeof...(P), argc, argv, &BareKernel<P...>::call, &self);
}

#endif

}  // namespace rafter_simt

#pragma GCC pop_options
