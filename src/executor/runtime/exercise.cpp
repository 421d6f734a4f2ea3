// The program around a learner's kernel (rafter_simt/launch/exercise.hpp), except for what depends on the kernel.
//
// The argument file has 3 + 3 + 1 numbers of 32 bits: blocks, threads, the number of arguments. For each argument
// follow its kind, the name of its type in 8 bytes, and in 64 bits each its size in bytes, its number of pieces, and
// the offset and size of each piece; then the contents of the pieces. Bytes outside of all pieces are 0. The file of
// results has the pieces of all arrays in sequence.
#include "rafter_simt/launch/exercise.hpp"

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "rafter_simt/api/functions.hpp"
#include "rafter_simt/launch/parameters.hpp"

namespace rafter::simt {
namespace {

using rafter_simt::ExerciseValue;

enum class ExerciseKind : std::uint32_t { scalar, written, unwritten };

struct ExercisePiece {
  std::uint64_t offset, bytes;
};

struct ExerciseArgument {
  ExerciseKind kind;
  char type[8];
  std::uint64_t extent = 0;  // bytes
  std::vector<ExercisePiece> pieces;
  std::vector<char> bytes;  // of the pieces
  void* memory = nullptr;

  char* at(const ExercisePiece& piece) const { return static_cast<char*>(memory) + piece.offset; }
};

struct ExercisePlan {
  std::uint32_t grid[3], block[3];
  std::vector<ExerciseArgument> arguments;
};

template <class T>
bool read_value(std::FILE* file, T& to) {
  return std::fread(&to, sizeof to, 1, file) == 1;
}

bool read_argument(std::FILE* file, ExerciseArgument& argument) {
  std::uint64_t n_pieces = 0, bytes = 0;
  if (!read_value(file, argument.kind) || !read_value(file, argument.type) || !read_value(file, argument.extent) ||
      !read_value(file, n_pieces))
    return false;
  argument.pieces.resize(n_pieces);
  if (std::fread(argument.pieces.data(), sizeof(ExercisePiece), n_pieces, file) != n_pieces) return false;
  for (const ExercisePiece& piece : argument.pieces) bytes += piece.bytes;
  argument.bytes.resize(bytes);
  return bytes == 0 || std::fread(argument.bytes.data(), bytes, 1, file) == 1;
}

bool read_plan(const char* path, ExercisePlan& plan) {
  std::FILE* file = std::fopen(path, "rb");
  if (file == nullptr) return false;
  std::uint32_t n = 0;
  bool good = read_value(file, plan.grid) && read_value(file, plan.block) && read_value(file, n);
  for (std::uint32_t i = 0; good && i < n; ++i) good = read_argument(file, plan.arguments.emplace_back());
  std::fclose(file);
  return good;
}

bool place(ExerciseArgument& argument) {
  if (argument.kind == ExerciseKind::scalar || argument.extent == 0) return true;
  if (cudaMalloc(&argument.memory, argument.extent) != cudaSuccess) return false;
  const char* from = argument.bytes.data();
  for (const ExercisePiece& piece : argument.pieces) {
    if (argument.kind == ExerciseKind::unwritten) {
      std::memcpy(argument.at(piece), from, piece.bytes);  // uninitialised to the checkers
    } else if (cudaMemcpy(argument.at(piece), from, piece.bytes, cudaMemcpyHostToDevice) != cudaSuccess) {
      return false;
    }
    from += piece.bytes;
  }
  return true;
}

/// Allocates the memory below a huge array that a 32-bit index reaches after it has overflowed to a negative number.
bool place_below_huge(const ExercisePlan& plan) {
  for (const ExerciseArgument& argument : plan.arguments) {
    void* below = nullptr;
    if (argument.extent > std::uint64_t{1} << 31) return cudaMalloc(&below, std::size_t{9} << 30) == cudaSuccess;
  }
  return true;
}

bool save_arrays(const char* path, const ExercisePlan& plan) {
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

int write_signature(const rafter_simt::ParameterType* parameters, std::size_t n, const char* path) {
  std::FILE* file = std::fopen(path, "w");
  if (file == nullptr) return 2;
  for (std::size_t i = 0; i < n; ++i)
    std::fprintf(file, "%s\n", rafter_simt::Parameter("", parameters[i]).text().c_str());
  return std::fclose(file) == 0 ? 0 : 2;
}

}  // namespace
}  // namespace rafter::simt

using namespace rafter::simt;

/// Returns 0 when the arrays are saved, 2 for unreadable or unwritable files, 3 for a failed launch, 4 when memory does
/// not suffice.
extern "C" __attribute__((visibility("default"))) int rafter_simt_run_exercise(
    const rafter_simt::ParameterType* parameters, std::size_t n_parameters, int argc, char** argv,
    rafter_simt::ExerciseCall call, const void* self) {
  constexpr int no_memory = 4;
  if (argc == 3 && std::strcmp(argv[1], "signature") == 0) return write_signature(parameters, n_parameters, argv[2]);
  ExercisePlan plan;
  if (argc != 4 || !read_plan(argv[2], plan) || plan.arguments.size() != n_parameters) return 2;
  if (!place_below_huge(plan)) return no_memory;
  std::vector<ExerciseValue> values;
  for (ExerciseArgument& argument : plan.arguments) {
    if (!place(argument)) return no_memory;
    values.push_back({argument.memory, argument.bytes.data(), argument.bytes.size(), argument.type[0] == 'f'});
  }
  call(self, values.data(), plan.grid, plan.block);
  const cudaError_t refused = cudaGetLastError();
  const bool failed = refused != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess;
  const bool saved = !failed && save_arrays(argv[3], plan);
  for (ExerciseArgument& argument : plan.arguments) cudaFree(argument.memory);  // remaining leaks are the learner's
  return failed ? 3 : saved ? 0 : 2;
}
