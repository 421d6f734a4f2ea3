// A case of user kernels: the arrays that the arguments describe, and the results of the references as the answers.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "workbench/bench/arrays.hpp"
#include "workbench/bench/binding.hpp"
#include "workbench/bench/library.hpp"
#include "workbench/bench/plan.hpp"
#include "workbench/lab/cases/array_case.hpp"
#include "workbench/lab/machine/module_state.hpp"

namespace rafter::bench {

/// A kernel of a shared object, and the macros it was compiled with.
struct Variant {
  std::string name;    ///< The rung's name: the kernel's, or its macros, "TILE=16 UNROLL=2".
  std::string kernel;  ///< The subject's name in the plan.
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

  /// Performs the calls of a variant.
  void launch(const std::string& variant, const Stream& stream, int set);

 protected:
  lab::Comparison compare_results(int set) const override;
  void forget_state() override;

  /// On a GPU with a kernel as the reference: random inputs get new values, and the reference runs on them. The answers
  /// stay on the GPU, sealed.
  bool can_renew() const override;
  void renew_inputs(int set, std::uint64_t secret) override;

 private:
  /// The bytes of an argument, with the places of pointers to arrays.
  struct BoundValue {
    struct Pointer {
      std::size_t at, array;
      std::int64_t offset_bytes;
    };
    std::vector<std::byte> bytes{};
    std::vector<Pointer> pointers{};
    std::optional<ElementType> converted{};  ///< A reference takes the array's elements as this type.
  };
  /// A function with the values of its parameters.
  struct Bound {
    const Library* library;
    const TableFunction* function;
    LaunchShape shape{};
    std::vector<BoundValue> values{};
  };
  /// Arrays on the host for a reference function; null: the arrays of the device.
  using HostArrays = std::vector<HostBytes>*;
  enum class Role { subject, reference };

  void read_modules(const std::vector<Variant>& variants);
  void make_arrays();
  void set_symbols();
  std::size_t place_of(const std::string& array) const;
  std::vector<Bound> bind(const Library& library, const std::string& subject, const base::Names& macros,
                          Role role) const;
  BoundValue bind_value(const Operand& operand, const TableParameter& parameter, const TableFunction& function,
                        const base::Names& names, Role role) const;
  /// Runs calls under a name that the guard shows.
  void run(const std::string& name, const std::vector<Bound>& calls, const Stream& stream, int set, HostArrays host);
  void call(const Bound& bound, const Stream& stream, int set, HostArrays host);
  void call_converted(const Bound& bound, const Stream& stream, int set, HostArrays host);
  void run_references();
  std::vector<HostBytes> answers_of(const std::string& reference, int set);
  // Run a reference on outputs that hold `before`.
  std::vector<HostBytes> run_on_device(const std::string& reference, int set, std::byte before);
  std::vector<HostBytes> run_on_host(const std::string& reference, int set, std::byte before);
  void add_answers(const std::string& reference, int set, std::vector<HostBytes> answers);
  void read_answers();
  void find_written(int set);
  double tolerance(const Array& array) const;

  const KernelPlan& plan_;
  const Library& library_;  ///< Of the first variant.
  base::Names names_;
  Guard guard_;
  std::vector<std::unique_ptr<KernelArray>> arrays_{};
  std::map<std::string, std::vector<Bound>> bound_{};       ///< By variant.
  std::map<std::string, std::vector<Bound>> references_{};  ///< By name.
  struct Symbol {
    const Library* library;
    const TableSymbol* symbol;
    HostBytes value;
  };
  std::vector<Symbol> symbols_{};
  std::vector<std::vector<HostBytes>> answers_{};  ///< By set and array; empty for those that are not results.
  std::vector<bool> is_written_{};                 ///< By array: a reference changes it.
  std::string first_reference_{};
  std::vector<std::shared_ptr<lab::ModuleState>> modules_{};  ///< On a GPU.
};

}  // namespace rafter::bench
