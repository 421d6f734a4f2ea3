// The program around a learner's kernel (rafter_simt/launch/exercise.hpp), except for what depends on the kernel.
//
// The argument file has 3 + 3 + 1 numbers of 32 bits: blocks, threads, the number of arguments. For each argument
// follow its kind, the name of its type in 8 bytes, and in 64 bits each its size in bytes, its number of pieces, and
// the offset and size of each piece; then the contents of the pieces. Bytes outside of all pieces are 0. The file of
// results has the pieces of all arrays in sequence. Both files are sealed (process/seal.hpp).
#include "rafter_simt/launch/exercise.hpp"

#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "executor/process/seal.hpp"
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

/// Takes values from the front of a text.
class PlanReader {
 public:
  explicit PlanReader(std::string_view text) : rest_(text) {}

  bool read(void* to, std::size_t bytes) {
    if (bytes > rest_.size()) return false;
    if (bytes > 0) std::memcpy(to, rest_.data(), bytes);
    rest_.remove_prefix(bytes);
    return true;
  }
  template <class T>
  bool read(T& to) {
    return read(&to, sizeof to);
  }
  std::size_t n_left() const { return rest_.size(); }

 private:
  std::string_view rest_;
};

bool read_argument(PlanReader& from, ExerciseArgument& argument) {
  std::uint64_t n_pieces = 0, bytes = 0;
  if (!from.read(argument.kind) || !from.read(argument.type) || !from.read(argument.extent) || !from.read(n_pieces) ||
      n_pieces > from.n_left() / sizeof(ExercisePiece))
    return false;
  argument.pieces.resize(n_pieces);
  if (!from.read(argument.pieces.data(), n_pieces * sizeof(ExercisePiece))) return false;
  for (const ExercisePiece& piece : argument.pieces) bytes += piece.bytes;
  if (bytes > from.n_left()) return false;
  argument.bytes.resize(bytes);
  return from.read(argument.bytes.data(), bytes);
}

std::string text_of(const char* path) {
  std::string text;
  if (std::FILE* file = std::fopen(path, "rb")) {
    char block[1 << 16];
    for (std::size_t n; (n = std::fread(block, 1, sizeof block, file)) > 0;) text.append(block, n);
    std::fclose(file);
  }
  return text;
}

bool read_plan(const char* path, ExercisePlan& plan) {
  const std::string file = text_of(path);
  const auto text = unsealed("plan", file);
  if (!text) return false;
  PlanReader from(*text);
  std::uint32_t n = 0;
  bool good = from.read(plan.grid) && from.read(plan.block) && from.read(n);
  for (std::uint32_t i = 0; good && i < n; ++i) good = read_argument(from, plan.arguments.emplace_back());
  return good;
}

/// Writes a sealed file atomically: a part of one would look like a forgery.
bool save(const char* path, const char* purpose, std::string_view bytes) {
  const std::string text = sealed(purpose, bytes), temporary = std::string(path) + ".part";
  std::FILE* file = std::fopen(temporary.c_str(), "wb");
  if (file == nullptr) return false;
  const bool is_whole = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  return std::fclose(file) == 0 && is_whole && std::rename(temporary.c_str(), path) == 0;
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
  std::string all;
  for (const ExerciseArgument& argument : plan.arguments) {
    if (argument.memory == nullptr) continue;
    for (const ExercisePiece& piece : argument.pieces) {
      const std::size_t before = all.size();
      all.resize(before + piece.bytes);
      if (cudaMemcpy(all.data() + before, argument.at(piece), piece.bytes, cudaMemcpyDeviceToHost) != cudaSuccess)
        return false;
    }
  }
  return save(path, "arrays", all);
}

int write_signature(const rafter_simt::ParameterType* parameters, std::size_t n, const char* path) {
  std::string lines;
  for (std::size_t i = 0; i < n; ++i) lines += rafter_simt::Parameter("", parameters[i]).text() + "\n";
  return save(path, "signature", lines) ? 0 : 2;
}

enum class Ended { well, failed, no_memory };

/// Reports that memory does not suffice. The judge believes this file, and not the exit code, which user code can set.
int fail_for_memory(const char* path) {
  constexpr int no_memory = 4;
  return save(path, "no memory", "") ? no_memory : 2;
}

}  // namespace
}  // namespace rafter::simt

using namespace rafter::simt;

/// Returns 0 when the arrays are saved, 2 for unreadable or unwritable files, 3 for a failed launch, 4 when memory does
/// not suffice.
extern "C" __attribute__((visibility("default"))) int rafter_simt_run_exercise(
    const rafter_simt::ParameterType* parameters, std::size_t n_parameters, int argc, char** argv,
    rafter_simt::ExerciseCall call, const void* self) {
  if (argc == 3 && std::strcmp(argv[1], "signature") == 0) return write_signature(parameters, n_parameters, argv[2]);
  ExercisePlan plan;
  if (argc != 4 || !read_plan(argv[2], plan) || plan.arguments.size() != n_parameters) return 2;
  if (!place_below_huge(plan)) return fail_for_memory(argv[3]);
  const auto run = [&] {  // with new arrays
    std::vector<ExerciseValue> values;
    for (ExerciseArgument& argument : plan.arguments) {
      if (!place(argument)) return Ended::no_memory;
      values.push_back({argument.memory, argument.bytes.data(), argument.bytes.size(), argument.type[0] == 'f'});
    }
    cudaDeviceSynchronize();  // the arrays are complete for every stream
    call(self, values.data(), plan.grid, plan.block);
    const cudaError_t refused = cudaGetLastError();
    return refused != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess ? Ended::failed : Ended::well;
  };
  Ended ended = run();
  if (ended == Ended::well && std::strcmp(argv[1], "again") == 0) {
    for (ExerciseArgument& argument : plan.arguments) cudaFree(std::exchange(argument.memory, nullptr));
    ended = run();
  }
  if (ended == Ended::no_memory) return fail_for_memory(argv[3]);
  const bool failed = ended == Ended::failed;
  const bool saved = !failed && save_arrays(argv[3], plan);
  for (ExerciseArgument& argument : plan.arguments) cudaFree(argument.memory);  // remaining leaks are the learner's
  return failed ? 3 : saved ? 0 : 2;
}
