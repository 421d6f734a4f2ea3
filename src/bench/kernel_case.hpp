// A case of a stranger's kernels: arrays as the arguments describe them, and what the references left in them as the
// answers.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bench/arrays.hpp"
#include "bench/library.hpp"
#include "bench/plan.hpp"
#include "lab/cases/array_case.hpp"

namespace rafter::bench {

/// Who is told before a stranger's code runs, and after it has ended.
struct Guard {
  std::function<void(const std::string& function)> begins = [](const std::string&) {};
  std::function<void()> ended = [] {};
};

class KernelCase final : public lab::ArrayCase {
 public:
  /// Makes the arrays and asks the references. Throws Error (bad_argument) where arguments do not fit the functions, a
  /// reference writes nothing, or two references disagree.
  KernelCase(const Plan& plan, const Library& library, const lab::Params& params, const Stream& stream,
             const lab::CaseOptions& options, Guard guard);

  lab::Cost cost() const override;

  /// What kernels have written: the bytes of each array that is no input.
  std::vector<HostBytes> results(int set) const;

  /// Enqueues a kernel of the plan.
  void launch(const std::string& kernel, const Stream& stream, int set);

 protected:
  lab::Comparison compare_results(int set) const override;

 private:
  /// A function with the arguments it is called with: for each parameter an array, or the bytes of a value.
  struct Bound {
    const TableFunction* function;
    LaunchShape shape{};
    std::vector<std::size_t> arrays{};  ///< by parameter; no_array for a value
    std::vector<std::vector<std::byte>> values{};
  };
  static constexpr std::size_t no_array = ~std::size_t{0};

  void make_arrays();
  Bound bind(const TableFunction& function) const;
  void call(const Bound& bound, const Stream& stream, int set, const std::vector<void*>* host_arrays);
  void ask_references();
  std::vector<HostBytes> ask_kernel(const Bound& bound, int set);
  std::vector<HostBytes> ask_function(const Bound& bound, int set);
  void take_answers(const std::string& reference, int set, std::vector<HostBytes> answers);
  void read_answers();
  void judge_written(int set);
  double tolerance(const Array& array) const;

  const Plan& plan_;
  const Library& library_;
  base::Names names_;
  Guard guard_;
  std::vector<std::unique_ptr<KernelArray>> arrays_{};
  std::map<std::string, Bound> bound_{};           ///< by function
  std::vector<std::vector<HostBytes>> answers_{};  ///< by set and array; empty for inputs
  std::vector<bool> is_written_{};                 ///< by array: a reference changes it
  std::string first_reference_{};
};

}  // namespace rafter::bench
