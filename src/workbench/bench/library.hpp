// The functions of a plan, compiled into a shared object for a device, and loaded from there.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "rafter/device.hpp"
#include "workbench/bench/plan.hpp"

namespace rafter::bench {

/// What a function takes for one parameter.
struct TableParameter {
  std::string name;
  std::string type;  ///< of its elements: "f32"; empty when no argument can be described for it
  bool is_pointer = false;
  bool is_const = false;  ///< it only reads them
  int components = 1;     ///< numbers in an element, as of float4
  int bytes = 0;          ///< of an element

  std::string text() const;  ///< "const f32*"
};

struct TableFunction {
  int index = 0;
  bool is_kernel = true;
  std::string name;
  std::vector<TableParameter> parameters{};

  std::string text() const;  ///< "sum(const f32* in, i32 n)"
};

/// A loaded table. It stays loaded as long as the process lives.
class Library {
 public:
  /// Throws Error (io).
  explicit Library(const std::filesystem::path& file);

  const std::vector<TableFunction>& functions() const { return functions_; }
  const TableFunction& called(const std::string& name) const;

  /// Launches a kernel, or calls a host function. Throws Error (device_failure) with the runtime's words.
  void call(const TableFunction& function, void** arguments, const LaunchShape& shape, void* stream) const;
  /// The words of the runtime for an error.
  std::string error_text(int error) const;

 private:
  int (*call_)(int, void**, const unsigned*, const unsigned*, std::size_t, void*) = nullptr;
  const char* (*error_)(int) = nullptr;
  std::vector<TableFunction> functions_{};
};

/// Builds the shared object for Device::cuda, by nvcc, or Device::simt. `scratch` is a folder for what that needs.
/// Throws Error: bad_argument with the compiler's words, unsupported where there is no compiler.
std::filesystem::path build_library(const Plan& plan, const std::vector<std::string>& build, Device device,
                                    const std::filesystem::path& scratch);

}  // namespace rafter::bench
