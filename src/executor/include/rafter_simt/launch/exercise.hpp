// Runs one kernel as an exercise asks: arguments from a file, arrays to a file; or says what its parameters are. Files
// and memory are the runtime's work (executor/runtime/exercise.cpp), which is compiled already: here is what the kernel
// decides.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "rafter_simt/api/runtime_api.hpp"
#include "rafter_simt/launch/launch.hpp"

// What surrounds the kernel runs once: less to compile counts more than its speed.
#pragma GCC push_options
#pragma GCC optimize("O0")

#include "rafter_simt/launch/parameter_types.hpp"

namespace rafter_simt {

/// An argument as the runtime has it: an array in device memory, or the bytes of a number.
struct ExerciseValue {
  void* memory;
  const char* bytes;
  std::size_t n_bytes;
  bool is_float;
};

/// Called with the arguments, and the blocks and threads in three dimensions.
using ExerciseCall = void (*)(const void* self, const ExerciseValue* values, const std::uint32_t* grid,
                              const std::uint32_t* block);

/// The whole program: "signature FILE" or "run ARGUMENTS ARRAYS". Returns its exit code.
extern "C" int rafter_simt_run_exercise(const ParameterType* parameters, std::size_t n_parameters, int argc,
                                        char** argv, ExerciseCall call, const void* self);

#ifndef RAFTER_SIMT_RUNTIME

/// What the kernel gets: a pointer, or the number in the type it has chosen for it.
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
    if (argument.is_float) return read(0.F);
    return argument.n_bytes == 4 ? read(std::int32_t{}) : read(std::int64_t{});
  } else {
    alignas(Value) static char nothing[sizeof(Value)];
    return *reinterpret_cast<Value*>(nothing);
  }
}

template <class... P>
struct ExerciseFunction {
  void (*function)(P...);
  const char* kernel;  // its name; null: the function is the host's

  void start(const Shape& shape, std::remove_cv_t<P>... values) const {
    if (kernel == nullptr) return function(values...);
    launch(kernel, shape, [function = function, values...]() mutable { function(values...); });
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
