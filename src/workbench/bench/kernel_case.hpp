// A case of user kernels: the arrays that the arguments describe, and the results of the references as the answers.
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
#include "workbench/lab/machine/module_state.hpp"

namespace rafter::bench {

/// A kernel of a shared object, and the macros it was compiled with.
struct Variant {
  std::string name;    ///< The rung's name: the kernel's, or its macros, "TILE=16 UNROLL=2".
  std::string kernel;  ///< The name in the plan and in the library.
  const Library* library;
  base::Names macros{};  ///< Values of names in the expressions of its launch.
};

/// All rungs of the plan, from one library.
std::vector<Variant> variants_of(const KernelPlan& plan, const Library& library);

/// Functions that are called before user code runs and after it has ended.
struct Guard {
  /// The function may run `patience` times as long as the time limit of a kernel.
  std::function<void(const std::string& function, double patience)> begins = [](const std::string&, double) {};
  std::function<void()> ended = [] {};
};

class KernelCase final : public lab::ArrayCase {
 public:
  /// Creates the arrays and runs the references, which are those of the first variant's library. Throws Error
  /// (bad_argument) if arguments do not fit the functions, or if a reference writes nothing, leaves elements unset,
  /// gives NaN, or disagrees with another.
  KernelCase(const KernelPlan& plan, const std::vector<Variant>& variants, const lab::Params& params,
             const Stream& stream, const lab::CaseOptions& options, Guard guard);

  lab::Cost cost() const override;

  /// The current bytes of each array; empty for those that are not results.
  std::vector<HostBytes> results(int set) const;

  /// Whether the expected results of two input sets are the same within the tolerance, although the inputs are not.
  bool hardly_depends_on_inputs() const;

  /// Launches the kernel of a variant.
  void launch(const std::string& variant, const Stream& stream, int set);

 protected:
  lab::Comparison compare_results(int set) const override;
  void forget_state() override;

  /// On a GPU with a kernel as the reference: random inputs get new values, and the reference runs on them. The answers
  /// stay on the GPU, sealed.
  bool can_renew() const override;
  void renew_inputs(int set, std::uint64_t secret) override;

 private:
  /// A function with its arguments: an array or the bytes of a value for each parameter.
  struct Bound {
    const Library* library;
    const TableFunction* function;
    LaunchShape shape{};
    std::vector<std::size_t> arrays{};  ///< By parameter; no_array for a value.
    std::vector<std::vector<std::byte>> values{};
  };
  static constexpr std::size_t no_array = ~std::size_t{0};

  void read_modules(const std::vector<Variant>& variants);
  void make_arrays();
  Bound bind(const Library& library, const TableFunction& function, const base::Names& macros) const;
  void call(const Bound& bound, const Stream& stream, int set, const std::vector<void*>* host_arrays);
  void run_references();
  std::vector<HostBytes> answers_of(const std::string& reference, int set);
  // Run a reference on outputs that hold `before`.
  std::vector<HostBytes> run_kernel(const Bound& bound, int set, std::byte before);
  std::vector<HostBytes> run_function(const Bound& bound, int set, std::byte before);
  void add_answers(const std::string& reference, int set, std::vector<HostBytes> answers);
  void read_answers();
  void find_written(int set);
  double tolerance(const Array& array) const;

  const KernelPlan& plan_;
  const Library& library_;  ///< Of the first variant.
  base::Names names_;
  Guard guard_;
  std::vector<std::unique_ptr<KernelArray>> arrays_{};
  std::map<std::string, Bound> bound_{};           ///< By variant.
  std::map<std::string, Bound> references_{};      ///< By function.
  std::vector<std::vector<HostBytes>> answers_{};  ///< By set and array; empty for those that are not results.
  std::vector<bool> is_written_{};                 ///< By array: a reference changes it.
  std::string first_reference_{};
  std::vector<std::shared_ptr<lab::ModuleState>> modules_{};  ///< On a GPU.
};

}  // namespace rafter::bench
