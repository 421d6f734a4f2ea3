// The functions of a plan, compiled into a shared object for a device and loaded from it.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rafter/device.hpp"
#include "workbench/bench/plan.hpp"

namespace rafter::bench {

/// A parameter of a function.
struct TableParameter {
  std::string name;
  std::optional<ElementType> type{};  ///< Of its elements; nothing for a type that --arg cannot describe.
  bool is_pointer = false;
  bool is_const = false;  ///< The function only reads the elements.
  int components = 1;     ///< Numbers in an element: 4 for float4.
  int bytes = 0;          ///< Of an element.

  std::string text() const;  ///< "const f32*".
};

struct TableFunction {
  int index = 0;
  bool is_kernel = true;
  std::string name;
  std::vector<TableParameter> parameters{};

  std::string text() const;  ///< "sum(const f32* in, i32 n)".
};

/// A variable in __constant__ or __device__ memory.
struct TableSymbol {
  int index = 0;
  std::string name;
  TableParameter element{};  ///< Of an array, or the variable itself.
  std::int64_t bytes = 0;    ///< Of the variable.
};

/// A loaded table of functions and variables. It is never unloaded.
class Library {
 public:
  /// Throws Error (io).
  explicit Library(const std::filesystem::path& file);

  const std::filesystem::path& file() const { return file_; }
  const std::vector<TableFunction>& functions() const { return functions_; }
  const TableFunction& called(const std::string& name) const;

  const std::vector<TableSymbol>& symbols() const { return symbols_; }

  /// Launches a kernel or calls a host function. Throws Error (device_failure) with the runtime's message.
  void call(const TableFunction& function, void** arguments, const LaunchShape& shape, void* stream) const;
  /// Enqueues a copy of a value to a variable. Throws like call().
  void set(const TableSymbol& symbol, const void* value, void* stream) const;
  /// Returns a CUfunction of the module on a GPU, for the driver API.
  void* module_function() const;
  /// The runtime's message for an error code.
  std::string error_text(int error) const;

 private:
  std::filesystem::path file_;
  /// The launch as the table declares it (kernel_table.hpp).
  struct Launch {
    const unsigned *grid = nullptr, *block = nullptr;
    std::size_t shared_bytes = 0;
    bool is_cooperative = false;
    void* stream = nullptr;
  };
  void add_entry(int index, const std::string& text);
  void call(int index, const std::string& what, void** arguments, const Launch& launch) const;

  void* (*module_)() = nullptr;
  int (*call_)(int, void**, const Launch*) = nullptr;
  const char* (*error_)(int) = nullptr;
  std::vector<TableFunction> functions_{};
  std::vector<TableSymbol> symbols_{};
};

/// Builds the shared object for Device::cuda with nvcc, or for Device::simt. `build` has the file and the compiler
/// options; `scratch` is a folder for temporary files. Throws Error: bad_argument with the compiler's message,
/// unsupported without a compiler.
std::filesystem::path build_library(const KernelPlan& plan, const std::vector<std::string>& build, Device device,
                                    const std::filesystem::path& scratch);

}  // namespace rafter::bench
