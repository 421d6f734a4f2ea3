// Runs one kernel without a program around it: arguments from the command line, results to .npy files.
#pragma once

#include <cstdio>
#include <exception>
#include <initializer_list>
#include <map>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "rafter_simt/launch.hpp"
#include "rafter_simt/runtime_api.hpp"

// What surrounds the kernel runs once: a second less to compile it counts more than its speed.
#pragma GCC push_options
#pragma GCC optimize("O0")

#include "rafter_simt/bare_arguments.hpp"

extern "C" void rafter_simt_show_array(const char* head, const char* type, std::size_t bytes, long n_rows,
                                       long n_columns, const void* memory);

namespace rafter_simt {

/// What the command line asks for.
struct BareRequest {
  unsigned grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  std::size_t shared_bytes = 0;
  std::map<std::string, std::string> arguments, saves;  // by parameter
  bool shows_arrays = false;                            // those that the kernel may write
};

inline void parse_extents(const std::string& option, const std::string& text, unsigned (&extents)[3]) {
  const char* at = text.c_str();
  for (int i = 0; i < 3; ++i) {
    char* end = nullptr;
    const unsigned long value = std::strtoul(at, &end, 10);
    const bool good =
        end != at && *at != '-' && value > 0 && value <= 0x7fffffff && (*end == '\0' || (*end == ',' && i < 2));
    if (!good) throw BareError{option + " " + text + ": expected X, X,Y or X,Y,Z, all at least 1"};
    extents[i] = static_cast<unsigned>(value);
    if (*end == '\0') return;
    at = end + 1;
  }
}

/// Throws BareError for more blocks or threads than a launch has.
inline void check_limits(const BareRequest& request) {
  const auto text = [](const unsigned(&e)[3]) {
    return std::to_string(e[0]) + "," + std::to_string(e[1]) + "," + std::to_string(e[2]);
  };
  const unsigned long long n_threads = 1ULL * request.block[0] * request.block[1] * request.block[2];
  if (n_threads > 1024 || request.block[2] > 64)
    throw BareError{"--block " + text(request.block) + ": a block has at most 1024 threads, and 64 along z"};
  if (request.grid[1] > 65535 || request.grid[2] > 65535)
    throw BareError{"--grid " + text(request.grid) + ": a grid has at most 65535 blocks along y and z"};
}

inline std::size_t parse_bytes(const std::string& option, const std::string& text) {
  if (text.empty() || text.size() > 18 || text.find_first_not_of("0123456789") != std::string::npos)
    throw BareError{option + " " + text + ": expected a number of bytes, such as 49152"};
  return static_cast<std::size_t>(std::strtoull(text.c_str(), nullptr, 10));
}

inline BareRequest parse_request(int argc, char** argv) {
  BareRequest request;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (i + 1 == argc) throw BareError{"'" + option + "' needs a value"};
    const std::string value = argv[++i];
    const std::size_t equals = value.find('=');
    if (option == "--grid")
      parse_extents(option, value, request.grid);
    else if (option == "--block")
      parse_extents(option, value, request.block);
    else if (option == "--shared")
      request.shared_bytes = parse_bytes(option, value);
    else if (option == "--show")
      request.shows_arrays = value == "arrays";
    else if ((option == "--arg" || option == "--save") && equals != std::string::npos && equals > 0) {
      auto& list = option == "--arg" ? request.arguments : request.saves;
      if (!list.emplace(value.substr(0, equals), value.substr(equals + 1)).second)
        throw BareError{option + " " + value.substr(0, equals) + " was given twice"};
    } else {
      throw BareError{option + " " + value +
                      ": expected --grid, --block, --shared, --arg NAME=TYPE[SHAPE]:FILL or --save NAME=FILE.npy"};
    }
  }
  check_limits(request);
  return request;
}

/// Edits between two words, to find the one that was meant.
inline std::size_t word_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t next = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = std::exchange(row[j], next);
    }
  }
  return row[b.size()];
}

inline std::string signature(const char* kernel, const std::vector<Parameter>& parameters) {
  std::string text = std::string(kernel) + "(";
  for (const Parameter& parameter : parameters)
    text += (text.back() == '(' ? "" : ", ") + (parameter.type.empty() ? "?" : parameter.text()) + " " + parameter.name;
  return text + ")";
}

/// Throws BareError for names the kernel does not have, and for parameters without an argument.
inline void check_names(const char* kernel, const BareRequest& request, const std::vector<Parameter>& parameters) {
  for (const auto* list : {&request.arguments, &request.saves}) {
    for (const auto& entry : *list) {
      const std::string& name = entry.first;
      const Parameter* nearest = nullptr;
      for (const Parameter& parameter : parameters) {
        if (nearest == nullptr || word_distance(name, parameter.name) < word_distance(name, nearest->name))
          nearest = &parameter;
      }
      if (nearest != nullptr && nearest->name == name) continue;
      const bool near = nearest != nullptr && word_distance(name, nearest->name) <= (name.size() + 1) / 2;
      throw BareError{"the kernel has no parameter '" + name + "'" +
                      (near ? ": did you mean '" + nearest->name + "'?" : "") + "\n" + signature(kernel, parameters)};
    }
  }
  std::string missing;
  for (const Parameter& parameter : parameters) {
    if (request.arguments.count(parameter.name) == 0) missing += (missing.empty() ? "" : ", ") + parameter.name;
  }
  if (!missing.empty()) throw BareError{"no --arg for " + missing + "\n" + signature(kernel, parameters)};
}

inline void require_success(cudaError_t error, const std::string& what) {
  if (error != cudaSuccess) throw BareError{what + ": " + cudaGetErrorString(error)};
}

/// Host and device side of one argument; value() is what the kernel gets.
template <class P>
struct Bound {
  using Value = std::remove_cv_t<P>;
  alignas(Value) unsigned char bytes_of_value[sizeof(Value)] = {};  // not every type can be made from nothing
  void* memory = nullptr;

  Value& value() { return *reinterpret_cast<Value*>(bytes_of_value); }

  void place(const BareArgument& argument, const Parameter& parameter) {
    if constexpr (std::is_pointer_v<P>) {
      if (argument.is_null) return;
      const std::size_t bytes = scalar_bytes(argument.type) * static_cast<std::size_t>(argument.count());
      require_success(cudaMalloc(&memory, bytes), "allocating '" + parameter.name + "'");
      if (!argument.data.empty())
        require_success(cudaMemcpy(memory, argument.data.data(), bytes, cudaMemcpyHostToDevice),
                        "filling '" + parameter.name + "'");
      value() = static_cast<Value>(memory);
    } else if (argument.data.size() == sizeof(Value)) {
      std::memcpy(bytes_of_value, argument.data.data(), sizeof(Value));
    }
  }
};

inline void save(const BareArgument& argument, const void* memory, const std::string& path) {
  Npy array{argument.type, argument.shape, {}};
  array.data.resize(scalar_bytes(argument.type) * static_cast<std::size_t>(argument.count()));
  if (!array.data.empty())
    require_success(cudaMemcpy(array.data.data(), memory, array.data.size(), cudaMemcpyDeviceToHost), "saving " + path);
  if (argument.type == "bf16") {  // NumPy has no such type: f32 holds its values
    std::vector<char> wide(array.data.size() * 2, 0);
    for (std::size_t i = 0; i < array.data.size() / 2; ++i)
      std::memcpy(wide.data() + 4 * i + 2, array.data.data() + 2 * i, 2);
    array.data = std::move(wide);
    array.type = "f32";
  }
  const std::string problem = write_npy(path, array);
  if (!problem.empty()) throw BareError{problem};
}

/// Rows are those of the last dimension. The executor's device memory can be read where it is.
inline void show(const Parameter& parameter, const BareArgument& argument, const void* memory) {
  const long long count = argument.count(), columns = argument.shape.empty() ? 1 : argument.shape.back();
  rafter_simt_show_array((parameter.name + " = " + argument.text()).c_str(), argument.type.c_str(),
                         scalar_bytes(argument.type), columns > 0 ? count / columns : 0, columns, memory);
}

template <class... P, std::size_t... I>
void run_bare_checked(void (*kernel)(P...), const char* name, const std::vector<const char*>& names,
                      const BareRequest& request, std::index_sequence<I...>) {
  const std::vector<Parameter> parameters{describe<P>(names[I])...};
  check_names(name, request, parameters);
  std::vector<BareArgument> arguments;
  for (const Parameter& parameter : parameters) {
    BareArgument argument = parse_argument(request.arguments.at(parameter.name), parameter);
    const bool from_file = argument.fill.size() > 4 && argument.fill.compare(argument.fill.size() - 4, 4, ".npy") == 0;
    if (from_file) fill_from_file(argument, parameter.name);
    match(argument, parameter);
    try {
      if (!from_file && !argument.is_null) fill(argument, parameter.name);
    } catch (const std::exception&) {  // bad_alloc, or length_error
      throw BareError{"argument '" + parameter.name + "': there is not enough memory for " + argument.text()};
    }
    if (request.saves.count(parameter.name) != 0 && (!parameter.is_pointer || argument.is_null))
      throw BareError{"--save " + parameter.name + ": only arrays can be saved, and the kernel takes " +
                      parameter.text()};
    arguments.push_back(std::move(argument));
  }
  std::tuple<Bound<P>...> bound;
  (std::get<I>(bound).place(arguments[I], parameters[I]), ...);
  const Shape shape(dim3(request.grid[0], request.grid[1], request.grid[2]),
                    dim3(request.block[0], request.block[1], request.block[2]), request.shared_bytes);
  launch(name, shape, [kernel, values = std::make_tuple(std::get<I>(bound).value()...)]() mutable {
    kernel(std::get<I>(values)...);
  });
  require_success(cudaGetLastError(), "launching the kernel");
  require_success(cudaDeviceSynchronize(), "running the kernel");
  const void* memory[] = {nullptr, std::get<I>(bound).memory...};
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto found = request.saves.find(parameters[i].name);
    if (found != request.saves.end()) save(arguments[i], memory[i + 1], found->second);
    if (request.shows_arrays && memory[i + 1] != nullptr && !parameters[i].is_const)
      show(parameters[i], arguments[i], memory[i + 1]);
  }
  (static_cast<void>(cudaFree(std::get<I>(bound).memory)), ...);
}

/// The whole program: returns its exit code, 2 when the request does not fit the kernel.
template <class... P>
int run_bare(void (*kernel)(P...), const char* name, const std::vector<const char*>& names, int argc, char** argv) {
  try {
    run_bare_checked(kernel, name, names, parse_request(argc, argv), std::index_sequence_for<P...>());
    return 0;
  } catch (const BareError& error) {
    std::fprintf(stderr, "rafter: %s\n", error.message.c_str());
    return 2;
  }
}

}  // namespace rafter_simt

#pragma GCC pop_options
