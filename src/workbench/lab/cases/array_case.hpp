// Cases that consist of arrays. A family's case declares its arrays as members (case_arrays.hpp) and adds the cost, the
// arguments of a rung, and the comparison of the results with the answers.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rafter/error.hpp"
#include "rafter/types.hpp"
#include "workbench/lab/workload/workload.hpp"

namespace rafter::lab {

class ArrayCase;

/// One array of a case, or one array per input set.
class CaseArray {
 public:
  CaseArray(ArrayCase& owner, std::string name);
  virtual ~CaseArray() = default;
  CaseArray(const CaseArray&) = delete;
  CaseArray& operator=(const CaseArray&) = delete;

  const std::string& name() const { return name_; }

  /// Sets the contents needed before a launch on an input set that will be checked.
  virtual void prepare(int /*set*/) {}
  /// Sets the contents needed before a timed launch: random bits, which follow from `secret`, in what it must write.
  virtual void prepare_timed(int set, std::uint64_t /*secret*/) { prepare(set); }
  /// The number of elements that a launch must write.
  virtual std::int64_t n_results() const { return 0; }
  /// Returns a checksum that changes when a bit of the results does.
  virtual std::uint64_t results_checksum() const { return 0; }
  /// Returns a sentence if a launch wrote outside of the array. prepare() restores the guard zones.
  virtual std::optional<std::string> damage() const { return std::nullopt; }
  /// Returns a sentence that names the array if a read-only array was written, and restores it.
  virtual std::optional<std::string> changed() { return std::nullopt; }

 protected:
  /// Returns the seed of this array for an input set.
  std::uint64_t seed(int set) const;

 private:
  std::string name_;
  const ArrayCase& owner_;
  std::uint64_t place_;  // index among the owner's arrays
};

/// The seed of an input set.
std::uint64_t set_seed(const CaseOptions& options, int set);

/// A case that consists of arrays. Poisons outputs, checks guard zones, restores in-out arrays and checks inputs.
class ArrayCase : public Case {
 public:
  ArrayCase(const Stream& stream, const CaseOptions& options) : stream_(stream), options_(options) {}
  ArrayCase(const ArrayCase&) = delete;
  ArrayCase& operator=(const ArrayCase&) = delete;

  const Stream& stream() const { return stream_; }
  const CaseOptions& options() const { return options_; }

  int n_input_sets() const final { return options_.n_input_sets; }
  void prepare(int set) final;
  void prepare_timed(int set, std::uint64_t secret) final;
  Comparison check(int set) final;
  bool is_known_right(int set) final;
  bool renew(int set, std::uint64_t secret) final;
  std::optional<std::string> changed_input() final;

 protected:
  /// Compares the results, at least one, with the answers for an input set. Skipped if the checksum
  /// equals that of results already found correct.
  virtual Comparison compare_results(int set) const = 0;

  /// Called before each launch that is checked: earlier launches must have left no values in module variables.
  virtual void forget_state();

  /// Whether renew_inputs() can be called. It gives an input set new values and computes their answers.
  virtual bool can_renew() const { return false; }
  virtual void renew_inputs(int /*set*/, std::uint64_t /*secret*/) {}

 private:
  friend CaseArray;
  std::uint64_t results_checksum() const;
  Comparison compare_unless_known(int set);

  Stream stream_;
  CaseOptions options_;
  std::vector<CaseArray*> arrays_;  // members of the derived class, in order of declaration
  std::map<std::pair<int, std::uint64_t>, Comparison> right_results_;  // by input set and checksum
  std::optional<std::string> earlier_change_;                          // of inputs that were renewed since
};

/// A case for rungs that take Args.
template <class Args>
class CaseFor : public ArrayCase {
 public:
  using ArrayCase::ArrayCase;
  /// Returns the arguments of a rung for an input set.
  virtual Args args(int set) = 0;
};

/// The cases of a family, one for each combination of its types; each has `static bool fits(const Params&)` and a
/// constructor from (params, stream, options).
template <class... Cases>
struct CaseList {
  /// Makes the case that fits the parameters; throws Error (bad_argument) if none does.
  static std::unique_ptr<Case> make(const Params& params, const Stream& stream, const CaseOptions& options) {
    std::unique_ptr<Case> made;
    static_cast<void>(((Cases::fits(params) && (made = std::make_unique<Cases>(params, stream, options))) || ...));
    if (made == nullptr) throw Error(ErrorCode::bad_argument, "there is no case for " + params.text());
    return made;
  }
};

/// The cases Each<T> for all T of a list, or Each<T, U> of two lists.
template <template <class...> class Each, class... Lists>
using CasesOf = ForTypes<CaseList, Each, Lists...>;

}  // namespace rafter::lab
