// Cases over arrays. A family's case names its arrays as members (case_arrays.hpp) and adds what is its own: the cost,
// the arguments of a rung, and how the results are held against the answers.
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

/// One array of a case, or one for each input set, as the case sees it.
class CaseArray {
 public:
  CaseArray(ArrayCase& owner, std::string name);
  virtual ~CaseArray() = default;
  CaseArray(const CaseArray&) = delete;
  CaseArray& operator=(const CaseArray&) = delete;

  const std::string& name() const { return name_; }

  /// Makes it what it has to be before a launch on an input set that is checked afterwards.
  virtual void prepare(int /*set*/) {}
  /// Results that a launch must have written.
  virtual std::int64_t n_results() const { return 0; }
  /// A number that changes when a bit of the results does.
  virtual std::uint64_t results_checksum() const { return 0; }
  /// A sentence when a launch wrote beside it; it is mended by prepare().
  virtual std::optional<std::string> damage() const { return std::nullopt; }
  /// A sentence with its name when what nobody may write was written; then it is made again.
  virtual std::optional<std::string> changed() { return std::nullopt; }

 protected:
  /// Its own for each input set.
  std::uint64_t seed(int set) const;

 private:
  std::string name_;
  const ArrayCase& owner_;
  std::uint64_t place_;  // among the arrays of its owner
};

/// The seed of an input set.
std::uint64_t set_seed(const CaseOptions& options, int set);

/// A case that is made of arrays: poison, guard zones, restored and unchanged inputs are looked after here, for all.
class ArrayCase : public Case {
 public:
  ArrayCase(const Stream& stream, const CaseOptions& options) : stream_(stream), options_(options) {}
  ArrayCase(const ArrayCase&) = delete;
  ArrayCase& operator=(const ArrayCase&) = delete;

  const Stream& stream() const { return stream_; }
  const CaseOptions& options() const { return options_; }

  int n_input_sets() const final { return options_.n_input_sets; }
  void prepare(int set) final;
  Comparison check(int set) final;
  std::optional<std::string> changed_input() final;

 protected:
  /// Holds the results, of which there are some, against the answers for an input set. Results that were right are
  /// known by their checksum, and not compared once more: the same bits are right again.
  virtual Comparison compare_results(int set) const = 0;

 private:
  friend CaseArray;
  Comparison compare_unless_known(int set);

  Stream stream_;
  CaseOptions options_;
  std::vector<CaseArray*> arrays_;                                     // members of the derived class, in its order
  std::map<std::pair<int, std::uint64_t>, Comparison> right_results_;  // by input set and checksum
};

/// A case whose rungs take Args.
template <class Args>
class CaseFor : public ArrayCase {
 public:
  using ArrayCase::ArrayCase;
  /// What a rung is called with for an input set.
  virtual Args args(int set) = 0;
};

/// The cases of a family, one for each combination of its types; each has `static bool fits(const Params&)` and a
/// constructor from (params, stream, options).
template <class... Cases>
struct CaseList {
  /// Throws Error (bad_argument) when none fits.
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
