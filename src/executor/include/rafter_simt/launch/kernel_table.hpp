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

/// A launch, as workbench/bench/library.cpp passes it.
struct TableLaunch {
  const unsigned *grid, *block;
  std::size_t shared_bytes;
  bool is_cooperative;
  void* stream;
};

struct TableEntry {
  virtual ~TableEntry() = default;
  /// Launches the kernel, calls the host function or sets the variable. Returns a runtime error or 0. `arguments` point
  /// to the values; a host function ignores the rest.
  virtual int call(void** arguments, const TableLaunch& launch) const = 0;
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

  int call(void** arguments, const TableLaunch& launch) const override {
    if (launch.shared_bytes > 48 * 1024) {
      const cudaError_t error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                     static_cast<int>(launch.shared_bytes));
      if (error != cudaSuccess) return static_cast<int>(error);
    }
    const dim3 grid(launch.grid[0], launch.grid[1], launch.grid[2]);
    const dim3 block(launch.block[0], launch.block[1], launch.block[2]);
    const auto stream = static_cast<cudaStream_t>(launch.stream);
    return static_cast<int>(
        launch.is_cooperative ? cudaLaunchCooperativeKernel(kernel, grid, block, arguments, launch.shared_bytes, stream)
                              : cudaLaunchKernel(kernel, grid, block, arguments, launch.shared_bytes, stream));
  }
};

template <class R, class... P>
struct HostEntry : TableEntry {
  R (*function)(P...);

  template <std::size_t... I>
  HostEntry(R (*host)(P...), const char* name, const char* const* names, std::index_sequence<I...>) : function(host) {
    text = table_text("host", name, {describe<P>(names[I])...});
  }

  template <std::size_t... I>
  R call_with(void** arguments, std::index_sequence<I...>) const {
    return function(*static_cast<std::remove_cv_t<std::remove_reference_t<P>>*>(arguments[I])...);
  }

  int call(void** arguments, const TableLaunch&) const override {
    if constexpr (std::is_same_v<R, cudaError_t>) {
      const cudaError_t returned = call_with(arguments, std::index_sequence_for<P...>());
      if (returned != cudaSuccess) return static_cast<int>(returned);
    } else {
      (void)call_with(arguments, std::index_sequence_for<P...>());
    }
    return static_cast<int>(cudaGetLastError());  // of a launch in the function
  }
};

template <class Set>
struct SymbolEntry : TableEntry {
  Set set;

  SymbolEntry(Set function, std::string description) : set(function) { text = std::move(description); }
  int call(void** arguments, const TableLaunch& launch) const override {
    return static_cast<int>(set(arguments[0], launch.stream));
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

/// Makes the entry of a variable. Its parameter describes an element, or the variable itself if it is no array; the
/// head has the bytes of the variable.
template <class T, class Set>
TableEntry* symbol_entry(const char* name, Set set) {
  using Element = std::remove_all_extents_t<T>;
  const std::string head = std::string(name) + "\t" + std::to_string(sizeof(T));
  return new SymbolEntry<Set>(set, table_text("symbol", head.c_str(), {describe<Element>(name)}));
}

#ifndef RAFTER_SIMT_REWRITTEN
static __global__ void module_mark() {}
#endif

}  // namespace rafter_simt

extern "C" {

__attribute__((visibility("default"))) int rafter_table_size() { return static_cast<int>(rafter_simt::table().size()); }

/// Returns a line "kernel NAME", "host NAME" or "symbol NAME BYTES", and one for each parameter, separated by tabs:
/// name, type, is_pointer, is_const, components, bytes.
__attribute__((visibility("default"))) const char* rafter_table_text(int entry) {
  return rafter_simt::table()[static_cast<std::size_t>(entry)]->text.c_str();
}

__attribute__((visibility("default"))) int rafter_table_call(int entry, void** arguments,
                                                             const rafter_simt::TableLaunch* launch) {
  return rafter_simt::table()[static_cast<std::size_t>(entry)]->call(arguments, *launch);
}

/// Returns a CUfunction of the module with the variables of the file on a GPU, else null.
__attribute__((visibility("default"))) void* rafter_table_module() {
#ifdef RAFTER_SIMT_REWRITTEN
  return nullptr;
#else
  cudaFunction_t found = nullptr;
  const cudaError_t error = cudaGetFuncBySymbol(&found, reinterpret_cast<const void*>(&rafter_simt::module_mark));
  return error == cudaSuccess ? found : nullptr;
#endif
}

__attribute__((visibility("default"))) const char* rafter_table_error(int error) {
  return cudaGetErrorString(static_cast<cudaError_t>(error));
}

}  // extern "C"
