// Cases whose inputs and output are arrays of float or double, which most workloads are.
#pragma once

#include <memory>

#include "lab/input_sets.hpp"
#include "lab/workload.hpp"

namespace rafter::lab {

/// The parameter that says which, and the bytes of one element.
inline Parameter dtype_parameter() { return {"dtype", "element type", "float32", false, {"float32", "float64"}}; }
inline double element_bytes(const Params& params) { return params.word("dtype") == "float64" ? 8 : 4; }

/// Input sets of `n_in` elements in rotation, and an output of `n_out`. A family derives from it what is its own: the
/// cost, the answers, and how a rung is called: `template <class Rung> void call(Rung rung, const Stream&, int set)`.
template <class T>
class ArrayCase : public Case {
 public:
  ArrayCase(const Stream& stream, std::int64_t n_in, std::int64_t n_out, const CaseOptions& options)
      : inputs_(stream, n_in, options), out_(stream, n_out, options.offset) {}

  int n_input_sets() const final { return inputs_.count(); }
  void poison() final { out_.poison(); }
  std::optional<std::string> changed_input() final { return inputs_.changed(); }

  Comparison check(int set) final {
    const std::vector<T> out = out_.to_host();
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

/// CaseOf<float> or CaseOf<double>, as the parameters say.
template <template <class> class CaseOf>
std::unique_ptr<Case> make_array_case(const Params& params, const Stream& stream, const CaseOptions& options) {
  if (params.word("dtype") == "float64") return std::make_unique<CaseOf<double>>(params, stream, options);
  return std::make_unique<CaseOf<float>>(params, stream, options);
}

/// A rung's two instances as the one call that a ladder lists.
template <template <class> class CaseOf, class F32, class F64>
auto array_call(F32 f32, F64 f64) {
  return [=](Case& work, const Stream& stream, int set) {
    if (auto* of_floats = dynamic_cast<CaseOf<float>*>(&work)) return of_floats->call(f32, stream, set);
    dynamic_cast<CaseOf<double>&>(work).call(f64, stream, set);
  };
}

}  // namespace rafter::lab
