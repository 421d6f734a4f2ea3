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

/// A loaded table of functions. It is never unloaded.
class Library {
 public:
  /// Throws Error (io).
  explicit Library(const std::filesystem::path& file);

  const std::filesystem::path& file() const { return file_; }
  const std::vector<TableFunction>& functions() const { return functions_; }
  const TableFunction& called(const std::string& name) const;

  /// Launches a kernel or calls a host function. Throws Error (device_failure) with the runtime's message.
  void call(const TableFunction& function, void** arguments, const LaunchShape& shape, void* stream) const;
  /// Returns the CUfunction of a kernel, for the driver API.
  void* kernel(const TableFunction& function) const;
  /// The runtime's message for an error code.
  std::string error_text(int error) const;

 private:
  std::filesystem::path file_;
  void* (*kernel_)(int) = nullptr;
  int (*call_)(int, void**, const unsigned*, const unsigned*, std::size_t, void*) = nullptr;
  const char* (*error_)(int) = nullptr;
  std::vector<TableFunction> functions_{};
};

/// Builds the shared object for Device::cuda with nvcc, or for Device::simt. `build` has the file and the compiler
/// options; `scratch` is a folder for temporary files. Throws Error: bad_argument with the compiler's message,
/// unsupported without a compiler.
std::filesystem::path build_library(const KernelPlan& plan, const std::vector<std::string>& build, Device device,
                                    const std::filesystem::path& scratch);

}  // namespace rafter::bench
