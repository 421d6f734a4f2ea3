// Cases whose inputs and outputs are arrays, which most workloads are, and lists of them by element type.
#pragma once

#include <cstdint>
#include <memory>

#include "lab/cases/input_sets.hpp"
#include "lab/workload/dtypes.hpp"
#include "lab/workload/workload.hpp"
#include "rafter/error.hpp"

namespace rafter::lab {

template <class T>
inline constexpr const char* dtype_name = core::DType<T>::name;

/// The parameter that says which of T... it is, the first one if nobody says.
template <class... T>
Parameter dtype_parameter(std::string name = "dtype", std::string meaning = "element type") {
  return dtype_parameter(Types<T...>{}, std::move(name), std::move(meaning));
}

// ---- cases ----

/// Input sets of `n_in` elements in rotation, and an output of `n_out`. A family derives from it what is its own: the
/// cost, the answers, and how a rung is called: `template <class Rung> void call(Rung rung, const Stream&, int set)`.
template <class T>
class OldArrayCase : public Case {
 public:
  OldArrayCase(const Stream& stream, std::int64_t n_in, std::int64_t n_out, const CaseOptions& options)
      : inputs_(stream, n_in, options), out_(stream, n_out, options.offset) {}

  static bool fits(const Params& params) { return params.word("dtype") == dtype_name<T>; }

  int n_input_sets() const final { return inputs_.count(); }
  void prepare(int) final { out_.poison(); }
  std::optional<std::string> changed_input() final { return inputs_.changed(); }

  Comparison check(int set) final {
    const std::span<const T> out = out_.on_host();
    Comparison result = out.empty() ? nothing_to_compare() : compare_output(out, set);
    if (const auto damage = out_.damage()) result.complaint = "output: " + *damage;
    return result;
  }

 protected:
  /// Holds an output, which has elements, against the answers for an input set.
  virtual Comparison compare_output(std::span<const T> out, int set) const = 0;

  InputSets<T> inputs_;
  GuardedArray<T> out_;
};

/// The cases of a family, one for each combination of types. Each has `static bool fits(const Params&)`, a constructor
/// from (params, stream, options), and `call(rung, stream, set)`.
template <class... Cases>
struct OldCaseList {
  static std::unique_ptr<Case> make(const Params& params, const Stream& stream, const CaseOptions& options) {
    std::unique_ptr<Case> made;
    static_cast<void>(((Cases::fits(params) && (made = std::make_unique<Cases>(params, stream, options))) || ...));
    return made;
  }

  /// A rung's instances, in the order of the cases, as the one call that a ladder lists.
  template <class... Instances>
  static auto call(Instances... instances) {
    static_assert(sizeof...(Instances) == sizeof...(Cases));
    return [=](Case& work, const Stream& stream, int set) {
      static_cast<void>((try_call<Cases>(instances, work, stream, set) || ...));
    };
  }

  /// The call of a function from outside, a std::function of the same type as one of the instances: it runs on the
  /// case that instance is for, and on no other.
  template <class... Instances>
  static RunRung adopt(const std::any& function, Instances... instances) {
    static_assert(sizeof...(Instances) == sizeof...(Cases));
    return [=](Case& work, const Stream& stream, int set) {
      if ((try_adopted<Cases>(function, instances, work, stream, set) || ...)) return;
      throw Error(ErrorCode::unsupported, "the function is for another element type");
    };
  }

 private:
  template <class CaseType, class... Arguments>
  static bool try_adopted(const std::any& function, void (*)(Arguments...), Case& work, const Stream& stream, int set) {
    auto* its_own = dynamic_cast<CaseType*>(&work);
    const auto* adopted = std::any_cast<std::function<void(Arguments...)>>(&function);
    if (its_own == nullptr || adopted == nullptr) return false;
    its_own->call(*adopted, stream, set);
    return true;
  }

  template <class CaseType, class Instance>
  static bool try_call(Instance instance, Case& work, const Stream& stream, int set) {
    auto* its_own = dynamic_cast<CaseType*>(&work);
    if (its_own != nullptr) its_own->call(instance, stream, set);
    return its_own != nullptr;
  }
};

}  // namespace rafter::lab
