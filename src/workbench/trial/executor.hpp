// Runs a user's kernel on the executor: built once, run once per case in a separate process.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "executor/build/unset_locals.hpp"
#include "workbench/lab/workload/exercise.hpp"
#include "workbench/trial/judged_run.hpp"
#include "workbench/trial/message.hpp"
#include "workbench/trial/plan.hpp"
#include "workbench/trial/source.hpp"

namespace rafter::trial {

class ExecutorKernel {
 public:
  /// Builds the program with all checks; throws Error as simt::build::build_program does. `kernel` names a kernel or a
  /// host function. `untrusted`, if it is not null, has the sandbox for its runs; that for the build is the caller's.
  ExecutorKernel(const LearnerSource& source, const std::string& kernel, lab::ExerciseKind kind,
                 const std::filesystem::path& scratch, double time_limit_s,
                 const simt::build::UntrustedWork* untrusted = nullptr);

  /// Returns a message if the file has host code that must not even be started (host_code.hpp).
  std::optional<TryMessage> early_code() const;

  struct Types {
    std::vector<std::string> names{};   ///< as the compiler sees them: "const f32*", "i64"
    std::optional<TryMessage> wrong{};  ///< host code before main was stopped
  };
  /// Returns the types of the parameters.
  Types types() const;

  /// Returns a message if a local variable of the kernel, or of a function it may call, is certainly used
  /// uninitialised.
  std::optional<TryMessage> unset_local() const;

  /// Returns the bytes of the __shared__ arrays with a size in the source.
  std::int64_t static_shared_bytes(const std::string& kernel) const;

  struct Outcome {
    std::optional<TryMessage> wrong{};
    std::string printed{};
    std::string not_tried{};  ///< the reason, if the case was not tried
  };
  /// Runs a case under all checkers and compares the arrays with the answers: those of the last run.
  Outcome check(const lab::Exercise& exercise, const lab::ExerciseCase& one,
                JudgedProgram::Runs runs = JudgedProgram::Runs::one) const;

  /// Runs a case that is too large to check every access. It is not tried if memory does not suffice, or if the case
  /// does not apply to this kernel (see ExerciseCase::rehearsal).
  Outcome check_huge(const lab::Exercise& exercise, const lab::ExerciseCase& one) const;

  struct Count {
    nlohmann::json report{};
    std::optional<TryMessage> wrong{};
  };
  /// Runs a case, counts accesses and compares the arrays with the answers.
  Count count(const lab::Exercise& exercise, const lab::ExerciseCase& one, JudgedProgram::Places places) const;

  /// Sets which argument of the exercise each parameter receives.
  void set_order(ArgumentOrder order) { order_ = std::move(order); }

 private:
  void explain(TryMessage& wrong) const;
  CaseRun run_case(const lab::ExerciseCase& one, const std::string& how, double time_limit_s,
                   JudgedProgram::Places places = JudgedProgram::Places::lines,
                   JudgedProgram::Runs runs = JudgedProgram::Runs::one) const;
  /// Returns a message for a run that failed or whose answers are wrong.
  std::optional<TryMessage> message_of_run(const CaseRun& ran, const lab::Exercise& exercise,
                                           const lab::ExerciseCase& one) const;

  JudgedProgram program_;
  std::vector<simt::build::UnsetLocal> unset_locals_;  ///< excludes those of other kernels
  ArgumentOrder order_;
  lab::ExerciseKind kind_;
  std::string kernel_;  ///< as the executor reports it; empty for a host function
  RaceContext races_;   ///< without the block
  double time_limit_s_;
};

/// Returns a sentence on the first input element that changed, or "".
std::string changed_input(const lab::Exercise& exercise, const lab::ExerciseCase& one, const lab::ArraysAfter& after);

/// Returns a sentence on changed inputs or wrong outputs, or "" if all is correct.
std::string judge(const lab::Exercise& exercise, const lab::ExerciseCase& one, const lab::ArraysAfter& after);

/// Returns the launch as text: "size=1025, 2 blocks of 1024 threads".
std::string describe_launch(const lab::ExerciseCase& one);

}  // namespace rafter::trial
