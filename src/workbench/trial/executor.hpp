// A learner's kernel on the executor: built once, run once per case in a process of its own.
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
  /// Builds it, with all checks in; throws Error as simt::build::build_program does.
  /// `kernel` is a kernel or a host function.
  ExecutorKernel(const LearnerSource& source, const std::string& kernel, lab::ExerciseKind kind,
                 std::filesystem::path scratch, double time_limit_s);

  /// What its parameters are to the compiler: "const f32*", "i64".
  std::vector<std::string> types() const;

  /// Of the kernel and the functions it may call: a local that is surely used before it has a value.
  std::optional<TryMessage> unset_local() const;

  /// Of its __shared__ arrays, which have their size in the source.
  std::int64_t static_shared_bytes(const std::string& kernel) const;

  struct Outcome {
    std::optional<TryMessage> wrong{};
    std::string printed{};
  };
  /// Runs a case under all checkers and holds the arrays against the answers.
  Outcome check(const lab::Exercise& exercise, const lab::ExerciseCase& one) const;

  /// Runs a case that is too large to be looked at access by access. Nothing when there is no room for it, or when it
  /// says nothing about this kernel (see ExerciseCase::rehearsal).
  std::optional<Outcome> check_huge(const lab::Exercise& exercise, const lab::ExerciseCase& one) const;

  /// Runs a case and counts; the executor's report with the places resolved.
  nlohmann::json count(const lab::ExerciseCase& one) const;

  /// Which of the exercise's arguments its parameters get, in their order.
  void give(ArgumentOrder order) { order_ = std::move(order); }

 private:
  struct Ran {
    base::Outcome ended;
    std::filesystem::path arrays, report;
  };
  void explain(TryMessage& wrong) const;
  Ran run_case(const lab::ExerciseCase& one, const std::string& how, double time_limit_s) const;
  base::Outcome run(const std::vector<std::string>& arguments, const std::string& runtime, double time_limit_s) const;

  std::filesystem::path program_, scratch_;
  std::vector<simt::build::UnsetLocal> unset_locals_;  ///< those of other kernels left out
  ArgumentOrder order_;
  lab::ExerciseKind kind_;
  double time_limit_s_;
};

/// Which element of an input is not what it was; empty when all are.
std::string changed_input(const lab::Exercise& exercise, const lab::ExerciseCase& one, const lab::ArraysAfter& after);

/// What a case says after the fact about inputs that changed and outputs that are wrong; empty when all is right.
std::string judge(const lab::Exercise& exercise, const lab::ExerciseCase& one, const lab::ArraysAfter& after);

/// "size=1025, 2 blocks of 1024 threads"
std::string launched(const lab::ExerciseCase& one);

}  // namespace rafter::trial
