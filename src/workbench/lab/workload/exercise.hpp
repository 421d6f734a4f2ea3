// The contract of a user-written kernel: its name and parameters, its launch, and the results it must produce.
// Arguments and answers are in host memory, so that any device can run the kernel.
#pragma once

#include <any>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "rafter/half.hpp"
#include "rafter/stream.hpp"
#include "workbench/lab/data/comparator.hpp"
#include "workbench/lab/workload/params.hpp"

namespace rafter::lab {

/// The blocks of a grid, or the threads of a block.
struct Extents {
  std::int64_t x = 1, y = 1, z = 1;

  std::int64_t count() const { return x * y * z; }
  std::string text() const;  ///< "512" or "32 x 8"
};

struct ExerciseParameter {
  std::string type;  ///< spelling in a kernel: "const float*"
  std::string name;
};

enum class ArgumentRole { scalar, input, output };

/// A byte range of a huge array.
struct Piece {
  std::int64_t offset, bytes;
};

/// One argument of a launch.
struct ExerciseArgument {
  ArgumentRole role = ArgumentRole::scalar;
  std::string type{};              ///< element type: f16, f32, i32, i64, ...
  std::vector<std::byte> bytes{};  ///< the value, or the array's contents before the launch
  bool is_written = true;          ///< false: the array is uninitialised, and `bytes` is the pattern that marks it
  /// The size of an array that is too large to be filled or checked as a whole. `bytes` then has the contents of
  /// `pieces`, one after the other. Everything else is 0.
  std::int64_t huge_bytes = 0;
  std::vector<Piece> pieces{};
};

/// The bytes of an element type, "bf16" or "i32".
std::int64_t element_bytes(const std::string& type);

/// The arrays after a launch, in the order of the arguments: the pieces of huge ones, empty for scalars.
using ArraysAfter = std::vector<std::vector<std::byte>>;

/// The largest amount that a kernel may load from global memory, for an exercise about memory traffic.
struct LoadLimit {
  std::int64_t bytes;      ///< bytes that lanes of one request share count once
  std::string what_to_do;  ///< one sentence of advice for a kernel that loads more
};

/// The largest number of atomics on global memory, for an exercise about atomics.
struct AtomicLimit {
  std::int64_t count;
  std::string what_to_do;
};

/// The most bytes that one thread may access: a thread with more does the work of others. Several threads that only
/// pretend to work, such as with loads that they do not use, cannot hide it. 0: any number.
struct ThreadShare {
  std::int64_t global_loads = 0, global_stores = 0, shared_loads = 0;
};

/// Returns the share of a thread in an exercise that needs each of `n` elements of `bytes` about once: a quarter of
/// what the block has elements, or what a thread has if only every 64th of the grid works. Partial results that pass
/// through shared memory may need twice that. There is no limit for less than 512 elements, and for blocks of less than
/// a warp.
ThreadShare share_of_loads(std::int64_t n, std::int64_t bytes, const Extents& grid, const Extents& block);

/// Returns the share of a thread in an exercise where threads have results of their own: at most `n_most`, each of
/// which takes so many bytes of global memory. There is no limit for blocks of less than a warp.
ThreadShare share_of_results(std::int64_t n_most, std::int64_t bytes_loaded, std::int64_t bytes_stored,
                             const Extents& block);

/// The work that a case must at least show, for an exercise about a method.
struct Method {
  /// The parts of the result that do not depend on each other. With a warp or more of them, more than one lane of a
  /// warp must work. 0: unknown.
  std::int64_t n_independent = 0;
  bool uses_shared = false;      ///< elements pass through shared memory
  bool uses_atomics = false;     ///< on global memory
  std::int64_t n_launches = 1;   ///< the least number of launches, of a host function
  bool may_copy_to_host = true;  ///< false: a host function must not copy results to the host
  ThreadShare share{};           ///< of any thread
};

/// The reason why a kernel fails in a huge case only, and what to do about it.
struct Lesson {
  std::string why, what_to_do;
};

struct ExerciseCase {
  std::string text;                                      ///< "size=10241"
  Extents grid, block;                                   ///< unused for a host function, which chooses its own launches
  std::vector<ExerciseArgument> arguments;               ///< one per parameter
  std::function<std::string(const ArraysAfter&)> check;  ///< returns a sentence on the error, or ""
  std::optional<LoadLimit> loads{};
  std::optional<AtomicLimit> atomics{};
  std::function<std::string(const std::string&)> check_printed{};  ///< checks the kernel's output
  Method method{};
  /// Only the first and the last block run. A kernel that does not give each block one part of the work cannot produce
  /// its results in these two blocks, which is not an error. So this case counts only if the kernel passes `rehearsal`,
  /// a small version of it; otherwise `wider`, if it is set, is tried in its place: the same with more work per thread.
  bool ends_only = false;
  std::shared_ptr<const ExerciseCase> rehearsal{};
  std::shared_ptr<const ExerciseCase> wider{};
  /// The kernel cannot end within a second, because it has so many elements to visit. One that ends takes the size for
  /// a smaller one. No result is compared.
  bool is_endless = false;
  std::optional<Lesson> lesson{};  ///< set if a huge case is not about 64-bit indices
};

/// The launch and the seed that the cases of an exercise depend on.
struct CaseRequest {
  Extents block{};
  std::uint64_t seed = 0;  ///< of all inputs; every run has a fresh one

  /// Returns the seed of one array of a case.
  std::uint64_t of(std::uint64_t array) const { return seed * 0x9e3779b97f4a7c15u + array; }
};

/// A kernel argument on a device: a pointer into its memory, or a number.
using KernelValue = std::variant<const void*, std::int64_t, double>;

/// A user's compiled kernel.
class LearnerKernel {
 public:
  virtual ~LearnerKernel() = default;
  virtual void launch(const Stream& stream, const Extents& grid, const Extents& block,
                      std::span<const KernelValue> values) const = 0;
  virtual const Extents& block() const = 0;  ///< the block size to launch it with
};

/// The kind of function to write: a kernel, or a host function that launches kernels and is called once with device
/// pointers.
enum class ExerciseKind { kernel, host_function };

struct Exercise {
  std::string workload;  ///< the workload with the ladder, otherwise the topic
  std::string kernel;    ///< the function's name
  std::vector<ExerciseParameter> parameters;
  std::string title;     ///< a few words, for a list
  std::string computes;  ///< one sentence
  std::string promise;   ///< the kernel's preconditions, in one sentence
  Extents block;
  std::string grid;  ///< the number of blocks, in words
  /// Returns the cases of the course, followed by sizes that break kernels.
  std::function<std::vector<ExerciseCase>(const CaseRequest&)> cases;
  /// Returns cases that are too large to check every access, for the executor: those with 64-bit indices, where memory
  /// is mostly unbacked addresses, and those with more iterations.
  std::function<std::vector<ExerciseCase>(const CaseRequest&)> huge_cases{};
  /// The workload's case that equals the first of `cases`, for comparing memory traffic.
  std::optional<Params> ladder_case{};
  ExerciseKind kind = ExerciseKind::kernel;
  /// The case that times the kernel with the ladder, and the kernel as a function with the family's arguments
  /// (Workload::adopt).
  std::optional<Params> timed_case{};
  std::function<std::any(std::shared_ptr<const LearnerKernel>)> as_rung{};
  /// The file that describes the exercise (workbench/trial/own), and its hints; empty if it is built in.
  std::string file{};
  std::vector<std::string> hints{};

  std::string signature() const;  ///< "sum_atomic(const float* inp, float* dest, int64_t size)"
};

// ---- arguments ----

ExerciseArgument input(std::span<const float> values);
ExerciseArgument input(std::span<const std::int64_t> values);
ExerciseArgument input(std::span<const Half> values);
/// An uninitialised output.
ExerciseArgument unwritten(std::int64_t n_floats);
ExerciseArgument unwritten_halves(std::int64_t n);
/// An output with these initial values.
ExerciseArgument output(std::span<const float> values);
ExerciseArgument output(std::span<const std::int32_t> values);
ExerciseArgument scalar(std::int64_t value);
ExerciseArgument scalar_i32(std::int64_t value);
ExerciseArgument scalar(float value);

/// Whether an element still has the pattern of uninitialised arrays, a NaN that no arithmetic produces.
bool is_unwritten(float value);

/// The elements of an array of float, Half, or int32_t.
template <class T>
std::vector<T> elements_in(std::span<const std::byte> bytes);
std::vector<float> floats(std::span<const std::byte> bytes);
std::vector<std::int32_t> ints(std::span<const std::byte> bytes);
std::vector<Half> halves(std::span<const std::byte> bytes);

/// The first index and the values of a filled piece of a huge array.
template <class T>
struct HugePiece {
  std::int64_t first;
  std::vector<T> values;
};
using FloatPiece = HugePiece<float>;
/// Arrays of float, Half or int64_t, of which only these pieces are filled and compared.
template <class T = float>
ExerciseArgument huge_input(std::int64_t n_elements, const std::vector<HugePiece<T>>& pieces);
template <class T = float>
ExerciseArgument huge_output(std::int64_t n_elements, const std::vector<HugePiece<T>>& pieces);

/// Returns multiples of 1/8 between -8 and 9 without 0. Their sums and products are exact in any order, so one missing
/// element, or one truncated to an integer, shows.
std::vector<float> eighths(std::int64_t n, std::uint64_t seed);

/// Returns numbers of both signs between 1/64 and 128 with full fractions, whose sums are rounded.
std::vector<float> fractions(std::int64_t n, std::uint64_t seed);

/// Returns the sum, with an error bound that holds for any order of 32-bit additions.
Expectation sum_of(std::span<const float> values);

/// Replaces some values by ones that only the correct operation preserves: -0, NaN, infinities, a subnormal.
std::vector<float> with_special(std::vector<float> values);

// ---- answers ----

/// Compares an array with its answers, which are exact for inputs in eighths; NaN must match NaN. Returns a sentence on
/// the error, which names uninitialised elements as such, or "".
std::string compare_floats(const std::string& name, std::span<const std::byte> after, std::span<const double> expected);
/// Compares an array with its answers, each within its own bound.
std::string compare_within_bounds(const std::string& name, std::span<const std::byte> after,
                                  std::span<const Expectation> expected);

/// Compares 16-bit floats with the rounded answers; NaN must match NaN.
std::string compare_halves(const std::string& name, std::span<const std::byte> after, std::span<const Half> expected);
/// Compares elements that were only moved, bit by bit.
std::string compare_moved(const std::string& name, std::span<const std::byte> after, std::span<const float> expected);

/// Returns the number of blocks for `n` elements: at least one, as CUDA requires.
Extents blocks_for(std::int64_t n, std::int64_t per_block);

}  // namespace rafter::lab
