// Runs a user's kernel on the executor: built once, run once per case in a separate process.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/process.hpp"
#include "executor/build/unset_locals.hpp"
#include "workbench/lab/workload/exercise.hpp"
#include "workbench/trial/message.hpp"
#include "workbench/trial/plan.hpp"
#include "workbench/trial/source.hpp"

namespace rafter::trial {

class ExecutorKernel {
 public:
  /// Builds the program with all checks; throws Error as simt::build::build_program does. `kernel` names a kernel or a
  /// host function.
  ExecutorKernel(const LearnerSource& source, const std::string& kernel, lab::ExerciseKind kind,
                 std::filesystem::path scratch, double time_limit_s);

  /// Returns the parameter types as the compiler sees them: "const f32*", "i64".
  std::vector<std::string> types() const;

  /// Returns a message if a local variable of the kernel, or of a function it may call, is certainly used
  /// uninitialised.
  std::optional<TryMessage> unset_local() const;

  /// Returns the bytes of the __shared__ arrays with a size in the source.
  std::int64_t static_shared_bytes(const std::string& kernel) const;

  struct Outcome {
    std::optional<TryMessage> wrong{};
    std::string printed{};
  };
  /// Runs a case under all checkers and compares the arrays with the answers.
  Outcome check(const lab::Exercise& exercise, const lab::ExerciseCase& one) const;

  /// Runs a case that is too large to check every access. Returns nullopt if memory does not suffice, or if the case
  /// does not apply to this kernel (see ExerciseCase::rehearsal).
  std::optional<Outcome> check_huge(const lab::Exercise& exercise, const lab::ExerciseCase& one) const;

  /// Runs a case and counts accesses; returns the executor's report with its places resolved.
  nlohmann::json count(const lab::ExerciseCase& one) const;

  /// Sets which argument of the exercise each parameter receives.
  void set_order(ArgumentOrder order) { order_ = std::move(order); }

 private:
  struct CaseRun {
    base::Outcome ended;
    std::filesystem::path arrays, report;
  };
  void explain(TryMessage& wrong) const;
  CaseRun run_case(const lab::ExerciseCase& one, const std::string& how, double time_limit_s) const;
  base::Outcome run(const std::vector<std::string>& arguments, const std::string& runtime, double time_limit_s) const;

  std::filesystem::path program_, scratch_;
  std::vector<simt::build::UnsetLocal> unset_locals_;  ///< excludes those of other kernels
  ArgumentOrder order_;
  lab::ExerciseKind kind_;
  double time_limit_s_;
};

/// Returns a sentence on the first input element that changed, or "".
std::string changed_input(const lab::Exercise& exercise, const lab::ExerciseCase& one, const lab::ArraysAfter& after);

/// Returns a sentence on changed inputs or wrong outputs, or "" if all is correct.
std::string judge(const lab::Exercise& exercise, const lab::ExerciseCase& one, const lab::ArraysAfter& after);

/// Returns the launch as text: "size=1025, 2 blocks of 1024 threads".
std::string describe_launch(const lab::ExerciseCase& one);

}  // namespace rafter::trial
