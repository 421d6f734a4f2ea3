// A contract for a kernel that somebody else wrote: its name and parameters, what it is launched with, and what it must
// leave behind. Arguments and answers live on the host, so that any device can run the kernel.
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

/// Blocks of a grid, or threads of a block.
struct Extents {
  std::int64_t x = 1, y = 1, z = 1;

  std::int64_t count() const { return x * y * z; }
  std::string text() const;  ///< "512" or "32 x 8"
};

struct ExerciseParameter {
  std::string type;  ///< as a kernel writes it: "const float*"
  std::string name;
};

enum class ArgumentRole { scalar, input, output };

/// A stretch of a huge array.
struct Piece {
  std::int64_t offset, bytes;
};

/// One argument of a launch.
struct ExerciseArgument {
  ArgumentRole role = ArgumentRole::scalar;
  std::string type{};              ///< of an element: f16, f32, i32 or i64
  std::vector<std::byte> bytes{};  ///< the value, or what the array holds before the launch
  bool is_written = true;          ///< false: nobody has written the array yet; `bytes` is a pattern to know it by
  /// Of an array too large to be filled or looked at: its size, and the pieces that `bytes` has, one after the other.
  /// All else in it is 0.
  std::int64_t huge_bytes = 0;
  std::vector<Piece> pieces{};
};

/// The arrays after a launch, in the order of the arguments, of huge ones the pieces; empty for scalars.
using ArraysAfter = std::vector<std::vector<std::byte>>;

/// The most that a kernel may load from global memory, where an exercise is about that.
struct LoadLimit {
  std::int64_t bytes;      ///< what the lanes of a request share counted once
  std::string what_to_do;  ///< for a kernel that loads more, one sentence
};

/// The most atomics on global memory, likewise.
struct AtomicLimit {
  std::int64_t count;
  std::string what_to_do;
};

/// What only a huge case shows, and what to do about it.
struct Lesson {
  std::string why, what_to_do;
};

struct ExerciseCase {
  std::string text;                                      ///< "size=10241"
  Extents grid, block;                                   ///< of a host function none: it launches what it likes
  std::vector<ExerciseArgument> arguments;               ///< in the order of the parameters
  std::function<std::string(const ArraysAfter&)> check;  /// a sentence on what is wrong; empty when all is right
  std::optional<LoadLimit> loads{};                      ///< of an exercise's first case, whose accesses are counted
  std::optional<AtomicLimit> atomics{};                  ///< likewise
  std::function<std::string(const std::string&)> check_printed{};  ///< the same for what the kernel printed
  /// Only the first and the last block run. A kernel that divides the work in another way than by one part for each
  /// block does not do its part in them, which is no fault: so it is held to this case only when it is right in
  /// `rehearsal`, which is the same but small.
  bool ends_only = false;
  std::shared_ptr<const ExerciseCase> rehearsal{};
  std::optional<Lesson> lesson{};  ///< of a huge case that is not about indices of more than 32 bits
};

/// An argument for a kernel on a device: a pointer into its memory, or a number.
using KernelValue = std::variant<const void*, std::int64_t, double>;

/// A kernel that was compiled elsewhere.
class LearnerKernel {
 public:
  virtual ~LearnerKernel() = default;
  virtual void launch(const Stream& stream, const Extents& grid, const Extents& block,
                      std::span<const KernelValue> values) const = 0;
  virtual const Extents& block() const = 0;  ///< the threads it wants to be launched with
};

/// What a learner writes: a kernel, or a host function that launches kernels and is called once with device pointers.
enum class ExerciseKind { kernel, host_function };

struct Exercise {
  std::string workload;  ///< whose ladder it is on; of an exercise without one, what it is about
  std::string kernel;    ///< the function's name
  std::vector<ExerciseParameter> parameters;
  std::string title;     ///< a few words, for a list
  std::string computes;  ///< one sentence
  std::string promise;   ///< what the kernel may count on, in one sentence
  Extents block;
  std::string grid;  ///< how many blocks, in words
  /// The course's own cases first, then sizes that break kernels.
  std::function<std::vector<ExerciseCase>(const Extents& block)> cases;
  /// Cases that are too large to be looked at access by access, for the executor: whose indices fit no 32 bits, with
  /// memory that is addresses only; or that take more rounds.
  std::function<std::vector<ExerciseCase>(const Extents& block)> huge_cases{};
  /// The case of the workload that is the same problem as the first of `cases`, to compare memory traffic with.
  std::optional<Params> ladder_case{};
  ExerciseKind kind = ExerciseKind::kernel;
  /// Where it is timed beside the ladder, and the kernel as a function of the family's form (Workload::adopt).
  std::optional<Params> timed_case{};
  std::function<std::any(std::shared_ptr<const LearnerKernel>)> as_rung{};

  std::string signature() const;  ///< "sum_atomic(const float* inp, float* dest, int64_t size)"
};

// ---- arguments ----

ExerciseArgument input(std::span<const float> values);
ExerciseArgument input(std::span<const std::int64_t> values);
ExerciseArgument input(std::span<const Half> values);
/// An output that nobody has written.
ExerciseArgument unwritten(std::int64_t n_floats);
ExerciseArgument unwritten_halves(std::int64_t n);
/// An output that holds these values before.
ExerciseArgument output(std::span<const float> values);
ExerciseArgument output(std::span<const std::int32_t> values);
ExerciseArgument scalar(std::int64_t value);
ExerciseArgument scalar_i32(std::int64_t value);
ExerciseArgument scalar(float value);

/// Whether an element still holds the pattern that `unwritten` arrays begin with, a NaN that no arithmetic gives.
bool is_unwritten(float value);

std::vector<float> floats(std::span<const std::byte> bytes);
std::vector<std::int32_t> ints(std::span<const std::byte> bytes);
std::vector<Half> halves(std::span<const std::byte> bytes);

/// A float array of `n_elements`, of which only these pieces are filled, given as first element and values.
struct FloatPiece {
  std::int64_t first;
  std::vector<float> values;
};
ExerciseArgument huge_input(std::int64_t n_elements, std::span<const FloatPiece> pieces);
ExerciseArgument huge_output(std::int64_t n_elements, std::span<const FloatPiece> pieces);

/// Eighths between -8 and 9 without 0: sums and products are exact in any order, one missing element shows, and so does
/// one that was cut to an integer.
std::vector<float> eighths(std::int64_t n, std::uint64_t seed);

/// Among them numbers that only the right operation treats right: -0, NaN, infinities, a very small one.
std::vector<float> with_special(std::vector<float> values);

// ---- answers ----

/// Holds an array against its answers, which inputs of eighths make exact; NaN where NaN is expected. Elements that
/// still hold the pattern of unwritten memory are named as such.
std::string compare_floats(const std::string& name, std::span<const std::byte> after, std::span<const double> expected);
/// The same, each within its own bound.
std::string compare_within_bounds(const std::string& name, std::span<const std::byte> after,
                                  std::span<const Expectation> expected);

/// Floats of 16 bits, each of them the rounded answer; NaN where that is one.
std::string compare_halves(const std::string& name, std::span<const std::byte> after, std::span<const Half> expected);
/// Elements that were only moved, bit by bit.
std::string compare_moved(const std::string& name, std::span<const std::byte> after, std::span<const float> expected);

/// A block's threads for `n` elements: at least one block, as CUDA wants.
Extents blocks_for(std::int64_t n, std::int64_t per_block);

}  // namespace rafter::lab
