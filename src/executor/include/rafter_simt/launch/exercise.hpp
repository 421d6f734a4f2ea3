// Runs one kernel for an exercise, with arguments from a file and arrays to a file, or prints its parameters. The
// runtime (executor/runtime/exercise.cpp), which is compiled in advance, handles files and memory; this header has the
// parts that depend on the kernel.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "rafter_simt/api/runtime_api.hpp"
#include "rafter_simt/launch/launch.hpp"

// The code around the kernel runs once: compile time matters more than its speed.
#pragma GCC push_options
#pragma GCC optimize("O0")

#include "rafter_simt/launch/parameter_types.hpp"

namespace rafter_simt {

/// An argument in the runtime's form: an array in device memory, or the bytes of a number.
struct ExerciseValue {
  void* memory;
  const char* bytes;
  std::size_t n_bytes;
  bool is_float;
};

/// Called with the arguments and the grid and block dimensions.
using ExerciseCall = void (*)(const void* self, const ExerciseValue* values, const std::uint32_t* grid,
                              const std::uint32_t* block);

/// Runs the whole program: "signature FILE", "run ARGUMENTS ARRAYS", or "again ..." for two
/// runs, of which the second one's arrays are saved. Returns its exit code.
extern "C" int rafter_simt_run_exercise(const ParameterType* parameters, std::size_t n_parameters, int argc,
                                        char** argv, ExerciseCall call, const void* self);

#ifndef RAFTER_SIMT_RUNTIME

/// Returns the kernel's argument: a pointer, or the number in the parameter's type.
template <class P>
std::remove_cv_t<P> value_of(const ExerciseValue& argument) {
  using Value = std::remove_cv_t<P>;
  if constexpr (std::is_pointer_v<Value>) {
    return reinterpret_cast<Value>(argument.memory);
  } else if constexpr (std::is_arithmetic_v<Value>) {
    const auto read = [&](auto number) {
      std::memcpy(&number, argument.bytes, sizeof number);
      return static_cast<Value>(number);
    };
    if (argument.is_float) return argument.n_bytes == 8 ? read(0.) : read(0.F);
    return argument.n_bytes == 4 ? read(std::int32_t{}) : read(std::int64_t{});
  } else {
    alignas(Value) static char nothing[sizeof(Value)];
    return *reinterpret_cast<Value*>(nothing);
  }
}

template <class... P>
struct ExerciseFunction {
  void (*function)(P...);
  const char* kernel;  // its name; null for a host function

  void start(const Shape& shape, std::remove_cv_t<P>... values) const {
    if (kernel == nullptr) return function(values...);
    const auto run = [function = function, values...]() mutable {
      RAFTER_SIMT_LIST((values...));
      function(values...);
    };
    launch(kernel, shape, run, Lists::arguments);
  }
  template <std::size_t... I>
  void start_with(const ExerciseValue* values, const Shape& shape, std::index_sequence<I...>) const {
    start(shape, value_of<P>(values[I])...);
  }
  static void call(const void* self, const ExerciseValue* values, const std::uint32_t* grid,
                   const std::uint32_t* block) {
    const Shape shape(dim3(grid[0], grid[1], grid[2]), dim3(block[0], block[1], block[2]));
    static_cast<const ExerciseFunction*>(self)->start_with(values, shape, std::index_sequence_for<P...>());
  }
  int run(int argc, char** argv) const {
    const ParameterType parameters[] = {parameter_type<P>()..., {}};
    return rafter_simt_run_exercise(parameters, sizeof...(P), argc, argv, &call, this);
  }
};

template <class... P>
int run_exercise(void (*kernel)(P...), const char* name, int argc, char** argv) {
  return ExerciseFunction<P...>{kernel, name}.run(argc, argv);
}

template <class... P>
int run_host_exercise(void (*function)(P...), int argc, char** argv) {
  return ExerciseFunction<P...>{function, nullptr}.run(argc, argv);
}

#endif

}  // namespace rafter_simt

#pragma GCC pop_options
