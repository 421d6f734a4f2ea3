// A case of a stranger's kernels: arrays as the arguments describe them, and what the references left in them as the
// answers.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "workbench/bench/arrays.hpp"
#include "workbench/bench/library.hpp"
#include "workbench/bench/plan.hpp"
#include "workbench/lab/cases/array_case.hpp"

namespace rafter::bench {

/// A kernel as it is measured: from which shared object, and with which macros it was compiled there.
struct Variant {
  std::string name;    ///< of the rung: the kernel's, or what sets it apart, "TILE=16 UNROLL=2"
  std::string kernel;  ///< in the plan and in the library
  const Library* library;
  base::Names macros{};  ///< may stand in the expressions of its launch
};

/// All rungs of the plan, compiled together.
std::vector<Variant> variants_of(const Plan& plan, const Library& library);

/// Who is told before a stranger's code runs, and after it has ended.
struct Guard {
  /// `patience` is how many times longer than a kernel it may take.
  std::function<void(const std::string& function, double patience)> begins = [](const std::string&, double) {};
  std::function<void()> ended = [] {};
};

class KernelCase final : public lab::ArrayCase {
 public:
  /// Makes the arrays and asks the references. Throws Error (bad_argument) where arguments do not fit the functions, a
  /// reference writes nothing, or two references disagree.
  /// References are those of the first variant's library, whose functions say what arrays are for.
  KernelCase(const Plan& plan, const std::vector<Variant>& variants, const lab::Params& params, const Stream& stream,
             const lab::CaseOptions& options, Guard guard);

  lab::Cost cost() const override;

  /// What kernels have written: the bytes of each array that is no input.
  std::vector<HostBytes> results(int set) const;

  /// Enqueues a variant's kernel.
  void launch(const std::string& variant, const Stream& stream, int set);

 protected:
  lab::Comparison compare_results(int set) const override;

 private:
  /// A function with the arguments it is called with: for each parameter an array, or the bytes of a value.
  struct Bound {
    const Library* library;
    const TableFunction* function;
    LaunchShape shape{};
    std::vector<std::size_t> arrays{};  ///< by parameter; no_array for a value
    std::vector<std::vector<std::byte>> values{};
  };
  static constexpr std::size_t no_array = ~std::size_t{0};

  void make_arrays();
  Bound bind(const Library& library, const TableFunction& function, const base::Names& macros) const;
  void call(const Bound& bound, const Stream& stream, int set, const std::vector<void*>* host_arrays);
  void ask_references();
  std::vector<HostBytes> ask_kernel(const Bound& bound, int set);
  std::vector<HostBytes> ask_function(const Bound& bound, int set);
  void take_answers(const std::string& reference, int set, std::vector<HostBytes> answers);
  void read_answers();
  void judge_written(int set);
  double tolerance(const Array& array) const;

  const Plan& plan_;
  const Library& library_;  ///< the first variant's
  base::Names names_;
  Guard guard_;
  std::vector<std::unique_ptr<KernelArray>> arrays_{};
  std::map<std::string, Bound> bound_{};           ///< by variant
  std::map<std::string, Bound> references_{};      ///< by function
  std::vector<std::vector<HostBytes>> answers_{};  ///< by set and array; empty for inputs
  std::vector<bool> is_written_{};                 ///< by array: a reference changes it
  std::string first_reference_{};
};

}  // namespace rafter::bench
