// The program around one kernel (rafter_simt/launch/bare.hpp), except for what depends on the kernel: arguments from
// the command line, results to .npy files.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "executor/memory/memory.hpp"
#include "executor/runtime/bare/npy.hpp"
#include "executor/runtime/bare/request.hpp"
#include "executor/runtime/bare/show_array.hpp"
#include "rafter_simt/api/functions.hpp"
#include "rafter_simt/launch/bare.hpp"

namespace rafter::simt {
namespace {

void require_success(cudaError_t error, const std::string& what) {
  if (error != cudaSuccess) throw BareError{what + ": " + cudaGetErrorString(error)};
}

/// Host and device side of one argument.
struct Bound {
  static constexpr std::size_t alignment = 64;  // sufficient for every parameter type

  explicit Bound(std::size_t bytes) : storage(bytes + alignment) {}

  std::vector<char> storage;  // zero unless the argument has a value
  void* memory = nullptr;

  /// Returns the address of the value that is passed to the kernel.
  void* value() {
    void* at = storage.data();
    std::size_t space = storage.size();
    return std::align(alignment, space - alignment, at, space);
  }
  void place(const BareArgument& argument, const Parameter& parameter) {
    if (!parameter.is_pointer) {
      if (argument.data.size() == parameter.bytes) std::memcpy(value(), argument.data.data(), parameter.bytes);
      return;
    }
    if (argument.is_null) return;
    const std::size_t bytes = scalar_bytes(argument.type) * static_cast<std::size_t>(argument.count());
    require_success(cudaMalloc(&memory, bytes), "allocating '" + parameter.name + "'");
    if (!argument.data.empty())
      require_success(cudaMemcpy(memory, argument.data.data(), bytes, cudaMemcpyHostToDevice),
                      "filling '" + parameter.name + "'");
    std::memcpy(value(), &memory, sizeof memory);
  }
};

void save(const BareArgument& argument, const void* memory, const std::string& path) {
  Npy array{argument.type, argument.shape, {}};
  array.data.resize(scalar_bytes(argument.type) * static_cast<std::size_t>(argument.count()));
  if (!array.data.empty())
    require_success(cudaMemcpy(array.data.data(), memory, array.data.size(), cudaMemcpyDeviceToHost), "saving " + path);
  if (argument.type == "bf16") {  // NumPy lacks the type; f32 represents its values
    std::vector<char> wide(array.data.size() * 2, 0);
    for (std::size_t i = 0; i < array.data.size() / 2; ++i)
      std::memcpy(wide.data() + 4 * i + 2, array.data.data() + 2 * i, 2);
    array.data = std::move(wide);
    array.type = "f32";
  }
  const std::string problem = write_npy(path, array);
  if (!problem.empty()) throw BareError{problem};
}

/// Prints an array; a row is the last dimension. Host code can read the executor's device memory directly.
void show(const Parameter& parameter, const BareArgument& argument, const void* memory) {
  const long long count = argument.count(), columns = argument.shape.empty() ? 1 : argument.shape.back();
  show_array(parameter.name + " = " + argument.text(), argument.type, scalar_bytes(argument.type),
             columns > 0 ? count / columns : 0, columns, memory);
}

BareArgument make_argument(const BareRequest& request, const Parameter& parameter) {
  BareArgument argument = parse_argument(request.arguments.at(parameter.name), parameter);
  const bool from_file = argument.fill.size() > 4 && argument.fill.compare(argument.fill.size() - 4, 4, ".npy") == 0;
  if (from_file) fill_from_file(argument, parameter.name);
  match(argument, parameter);
  // With overcommit the allocation may succeed and its use end the program.
  const auto bytes = static_cast<double>(argument.count()) * static_cast<double>(scalar_bytes(argument.type));
  const bool fits = argument.is_null || bytes <= static_cast<double>(memory().total_bytes());
  try {
    if (!fits) throw std::bad_alloc();
    if (!from_file && !argument.is_null) fill(argument, parameter.name);
  } catch (const std::exception&) {  // bad_alloc, or length_error
    throw BareError{"argument '" + parameter.name + "': not enough memory for " + argument.text()};
  }
  if (request.saves.count(parameter.name) != 0 && (!parameter.is_pointer || argument.is_null))
    throw BareError{"--save " + parameter.name + ": only arrays can be saved, and the kernel takes " +
                    parameter.text()};
  return argument;
}

void run(const char* kernel, const std::vector<Parameter>& parameters, const BareRequest& request,
         rafter_simt::BareCall call, const void* self) {
  check_names(kernel, request, parameters);
  std::vector<BareArgument> arguments;
  for (const Parameter& parameter : parameters) arguments.push_back(make_argument(request, parameter));
  std::vector<Bound> bound;
  std::vector<void*> values;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    bound.emplace_back(std::max(parameters[i].bytes, sizeof(void*)));
    bound.back().place(arguments[i], parameters[i]);
  }
  for (Bound& one : bound) values.push_back(one.value());
  call(self, values.data(), request.grid, request.block, request.shared_bytes);
  require_success(cudaGetLastError(), "launching the kernel");
  require_success(cudaDeviceSynchronize(), "running the kernel");
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto found = request.saves.find(parameters[i].name);
    if (found != request.saves.end()) save(arguments[i], bound[i].memory, found->second);
    if (request.shows_arrays && bound[i].memory != nullptr && !parameters[i].is_const)
      show(parameters[i], arguments[i], bound[i].memory);
  }
  for (const Bound& one : bound) static_cast<void>(cudaFree(one.memory));
}

}  // namespace
}  // namespace rafter::simt

using namespace rafter::simt;

extern "C" __attribute__((visibility("default"))) int rafter_simt_run_bare(
    const char* kernel, const rafter_simt::ParameterType* types, const char* const* names, std::size_t n_parameters,
    int argc, char** argv, rafter_simt::BareCall call, const void* self) {
  try {
    std::vector<Parameter> parameters;
    for (std::size_t i = 0; i < n_parameters; ++i) parameters.emplace_back(names[i], types[i]);
    run(kernel, parameters, parse_request(argc, argv), call, self);
    return 0;
  } catch (const BareError& error) {
    std::fprintf(stderr, "rafter: %s\n", error.message.c_str());
    return 2;
  }
}
