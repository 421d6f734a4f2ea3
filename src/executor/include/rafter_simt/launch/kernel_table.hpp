// A table of kernels and host functions of one file, in a shared object that another program loads: compiled by nvcc or
// for the executor, so it includes only headers that both have. The file that includes it defines table().
#pragma once

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "parameters.hpp"  // in this folder: nvcc must not find the headers that replace its own

namespace rafter_simt {

struct TableEntry {
  virtual ~TableEntry() = default;
  /// Calls the function. Returns a runtime error or 0. `arguments` point to the values; a host function ignores the
  /// rest.
  virtual int call(void** arguments, const unsigned* grid, const unsigned* block, std::size_t shared_bytes,
                   void* stream) const = 0;
  /// Returns the CUfunction of a kernel on a GPU, else null.
  virtual void* on_gpu() const { return nullptr; }
  std::string text;  // the result of rafter_table_text()
};

/// Returns the entries in the order of the file.
std::vector<TableEntry*>& table();

inline std::string table_text(const char* kind, const char* name, const std::vector<Parameter>& parameters) {
  std::string text = std::string(kind) + "\t" + name + "\n";
  for (const Parameter& p : parameters)
    text += p.name + "\t" + p.type + "\t" + (p.is_pointer ? "1" : "0") + "\t" + (p.is_const ? "1" : "0") + "\t" +
            std::to_string(p.components) + "\t" + std::to_string(p.bytes) + "\n";
  return text;
}

template <class... P>
struct KernelEntry : TableEntry {
  void (*kernel)(P...);

  template <std::size_t... I>
  KernelEntry(void (*function)(P...), const char* name, const char* const* names, std::index_sequence<I...>)
      : kernel(function) {
    text = table_text("kernel", name, {describe<P>(names[I])...});
  }

  int call(void** arguments, const unsigned* grid, const unsigned* block, std::size_t shared_bytes,
           void* stream) const override {
    if (shared_bytes > 48 * 1024) {
      const cudaError_t error =
          cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_bytes));
      if (error != cudaSuccess) return static_cast<int>(error);
    }
    const cudaError_t launched =
        cudaLaunchKernel(kernel, dim3(grid[0], grid[1], grid[2]), dim3(block[0], block[1], block[2]), arguments,
                         shared_bytes, static_cast<cudaStream_t>(stream));
    return static_cast<int>(launched);
  }

#ifndef RAFTER_SIMT_REWRITTEN
  void* on_gpu() const override {
    cudaFunction_t found = nullptr;
    const cudaError_t error = cudaGetFuncBySymbol(&found, reinterpret_cast<const void*>(kernel));
    return error == cudaSuccess ? found : nullptr;
  }
#endif
};

template <class R, class... P>
struct HostEntry : TableEntry {
  R (*function)(P...);

  template <std::size_t... I>
  HostEntry(R (*host)(P...), const char* name, const char* const* names, std::index_sequence<I...>) : function(host) {
    text = table_text("host", name, {describe<P>(names[I])...});
  }

  template <std::size_t... I>
  void call_with(void** arguments, std::index_sequence<I...>) const {
    (void)function(*static_cast<std::remove_cv_t<std::remove_reference_t<P>>*>(arguments[I])...);
  }

  int call(void** arguments, const unsigned*, const unsigned*, std::size_t, void*) const override {
    call_with(arguments, std::index_sequence_for<P...>());
    return 0;
  }
};

/// Makes an entry. `names` has a name for each parameter, and one more, because an array cannot be empty.
template <class... P>
TableEntry* kernel_entry(void (*kernel)(P...), const char* name, const char* const* names) {
  return new KernelEntry<P...>(kernel, name, names, std::index_sequence_for<P...>());
}
template <class R, class... P>
TableEntry* host_entry(R (*function)(P...), const char* name, const char* const* names) {
  return new HostEntry<R, P...>(function, name, names, std::index_sequence_for<P...>());
}

}  // namespace rafter_simt

extern "C" {

__attribute__((visibility("default"))) int rafter_table_size() { return static_cast<int>(rafter_simt::table().size()); }

/// Returns a line "kernel NAME" or "host NAME", and one for each parameter, separated by tabs: name, type, is_pointer,
/// is_const, components, bytes.
__attribute__((visibility("default"))) const char* rafter_table_text(int entry) {
  return rafter_simt::table()[static_cast<std::size_t>(entry)]->text.c_str();
}

__attribute__((visibility("default"))) int rafter_table_call(int entry, void** arguments, const unsigned* grid,
                                                             const unsigned* block, std::size_t shared_bytes,
                                                             void* stream) {
  return rafter_simt::table()[static_cast<std::size_t>(entry)]->call(arguments, grid, block, shared_bytes, stream);
}

__attribute__((visibility("default"))) void* rafter_table_kernel(int entry) {
  return rafter_simt::table()[static_cast<std::size_t>(entry)]->on_gpu();
}

__attribute__((visibility("default"))) const char* rafter_table_error(int error) {
  return cudaGetErrorString(static_cast<cudaError_t>(error));
}

}  // extern "C"
