// Runs one kernel as an exercise asks: arguments from a file, arrays to a file; or says what its parameters are.
//
// The file of arguments: 3 + 3 + 1 numbers of 32 bits (blocks, threads, arguments); then for each argument its kind,
// the name of its type in 8 bytes, and in 64 bits the number of its bytes, of its pieces, and of each piece the offset
// and the bytes; then what is in the pieces. What is in no piece is 0. The arrays' pieces follow one another.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
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

#include "rafter_simt/bare_types.hpp"

namespace rafter_simt {

enum class ExerciseKind : std::uint32_t { scalar, written, unwritten };

struct ExercisePiece {
  std::uint64_t offset, bytes;
};

struct ExerciseArgument {
  ExerciseKind kind;
  char type[8];
  std::uint64_t extent = 0;  // in bytes
  std::vector<ExercisePiece> pieces;
  std::vector<char> bytes;  // of the pieces
  void* memory = nullptr;

  char* at(const ExercisePiece& piece) const { return static_cast<char*>(memory) + piece.offset; }
};

struct ExercisePlan {
  std::uint32_t grid[3], block[3];
  std::vector<ExerciseArgument> arguments;
};

inline bool read_plan(const char* path, ExercisePlan& plan) {
  std::FILE* file = std::fopen(path, "rb");
  if (file == nullptr) return false;
  std::uint32_t n = 0;
  bool good = std::fread(plan.grid, sizeof plan.grid, 1, file) == 1 &&
              std::fread(plan.block, sizeof plan.block, 1, file) == 1 && std::fread(&n, sizeof n, 1, file) == 1;
  for (std::uint32_t i = 0; good && i < n; ++i) {
    ExerciseArgument argument;
    std::uint64_t n_pieces = 0, bytes = 0;
    good = std::fread(&argument.kind, sizeof argument.kind, 1, file) == 1 &&
           std::fread(argument.type, sizeof argument.type, 1, file) == 1 &&
           std::fread(&argument.extent, sizeof argument.extent, 1, file) == 1 &&
           std::fread(&n_pieces, sizeof n_pieces, 1, file) == 1;
    argument.pieces.resize(n_pieces);
    good = good && std::fread(argument.pieces.data(), sizeof(ExercisePiece), n_pieces, file) == n_pieces;
    for (const ExercisePiece& piece : argument.pieces) bytes += piece.bytes;
    argument.bytes.resize(bytes);
    good = good && (bytes == 0 || std::fread(argument.bytes.data(), bytes, 1, file) == 1);
    plan.arguments.push_back(std::move(argument));
  }
  std::fclose(file);
  return good;
}

/// Device memory gets these bytes, and nobody has written them: no hook sees it.
__attribute__((no_sanitize("thread"))) inline void put_unseen(void* memory, const char* bytes, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) static_cast<volatile char*>(memory)[i] = bytes[i];
}

inline bool place(ExerciseArgument& argument) {
  if (argument.kind == ExerciseKind::scalar || argument.extent == 0) return true;
  if (cudaMalloc(&argument.memory, argument.extent) != cudaSuccess) return false;
  const char* from = argument.bytes.data();
  for (const ExercisePiece& piece : argument.pieces) {
    if (argument.kind == ExerciseKind::unwritten) {
      put_unseen(argument.at(piece), from, piece.bytes);
    } else if (cudaMemcpy(argument.at(piece), from, piece.bytes, cudaMemcpyHostToDevice) != cudaSuccess) {
      return false;
    }
    from += piece.bytes;
  }
  return true;
}

/// Below a huge array: what an index of 32 bits reaches that has become negative.
inline bool place_below_huge(const ExercisePlan& plan) {
  for (const ExerciseArgument& argument : plan.arguments) {
    void* below = nullptr;
    if (argument.extent > std::uint64_t{1} << 31) return cudaMalloc(&below, std::size_t{9} << 30) == cudaSuccess;
  }
  return true;
}

/// What the kernel gets: a pointer, or the number in the type it has chosen for it.
template <class P>
std::remove_cv_t<P> value_of(const ExerciseArgument& argument) {
  using Value = std::remove_cv_t<P>;
  if constexpr (std::is_pointer_v<Value>) {
    return reinterpret_cast<Value>(argument.memory);
  } else if constexpr (std::is_arithmetic_v<Value>) {
    const auto read = [&](auto number) {
      std::memcpy(&number, argument.bytes.data(), sizeof number);
      return static_cast<Value>(number);
    };
    if (argument.type[0] == 'f') return read(0.F);
    return argument.bytes.size() == 4 ? read(std::int32_t{}) : read(std::int64_t{});
  } else {
    alignas(Value) static char nothing[sizeof(Value)];
    return *reinterpret_cast<Value*>(nothing);
  }
}

inline bool save_arrays(const char* path, const ExercisePlan& plan) {
  std::FILE* file = std::fopen(path, "wb");
  if (file == nullptr) return false;
  bool good = true;
  for (const ExerciseArgument& argument : plan.arguments) {
    if (argument.memory == nullptr) continue;
    for (const ExercisePiece& piece : argument.pieces) {
      std::vector<char> bytes(piece.bytes);
      good = good &&
             cudaMemcpy(bytes.data(), argument.at(piece), bytes.size(), cudaMemcpyDeviceToHost) == cudaSuccess &&
             std::fwrite(bytes.data(), bytes.size(), 1, file) == 1;
    }
  }
  return std::fclose(file) == 0 && good;
}

inline constexpr int no_room = 4;

/// 0: the arrays are saved; 3: a launch failed; 4: no room for the arrays; 2: the files are not what they should be.
/// `call` is given the values of the arguments.
template <class... P, class Call, std::size_t... I>
int run_plan(ExercisePlan& plan, const char* save_to, Call call, std::index_sequence<I...>) {
  if (plan.arguments.size() != sizeof...(P)) return 2;
  if (!place_below_huge(plan)) return no_room;
  for (ExerciseArgument& argument : plan.arguments) {
    if (!place(argument)) return no_room;
  }
  call(value_of<P>(plan.arguments[I])...);
  const cudaError_t refused = cudaGetLastError();
  const bool failed = refused != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess;
  const bool saved = !failed && save_arrays(save_to, plan);
  for (ExerciseArgument& argument : plan.arguments) cudaFree(argument.memory);  // what then leaks is the learner's
  return failed ? 3 : saved ? 0 : 2;
}

template <class... P>
int write_signature(void (*)(P...), const char* path) {
  std::FILE* file = std::fopen(path, "w");
  if (file == nullptr) return 2;
  for (const Parameter& parameter : std::vector<Parameter>{describe<P>("")...})
    std::fprintf(file, "%s\n", parameter.text().c_str());
  return std::fclose(file) == 0 ? 0 : 2;
}

/// The whole program: "signature FILE" or "run ARGUMENTS ARRAYS".
template <class... P, class Call>
int run_program(void (*function)(P...), int argc, char** argv, Call call) {
  if (argc == 3 && std::strcmp(argv[1], "signature") == 0) return write_signature(function, argv[2]);
  ExercisePlan plan;
  if (argc != 4 || !read_plan(argv[2], plan)) return 2;
  return run_plan<P...>(
      plan, argv[3], [&](auto... values) { call(plan, values...); }, std::index_sequence_for<P...>());
}

template <class... P>
int run_exercise(void (*kernel)(P...), const char* name, int argc, char** argv) {
  return run_program(kernel, argc, argv, [=](const ExercisePlan& plan, auto... values) {
    const Shape shape(dim3(plan.grid[0], plan.grid[1], plan.grid[2]),
                      dim3(plan.block[0], plan.block[1], plan.block[2]));
    launch(name, shape, [=]() mutable { kernel(values...); });
  });
}

template <class... P>
int run_host_exercise(void (*function)(P...), int argc, char** argv) {
  return run_program(function, argc, argv, [=](const ExercisePlan&, auto... values) { function(values...); });
}

}  // namespace rafter_simt

#pragma GCC pop_options
