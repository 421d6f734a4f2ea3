#include "workbench/lab/cases/array_case.hpp"

#include <algorithm>
#include <utility>

#include "library/core/stream/backend.hpp"
#include "workbench/lab/data/generate.hpp"

namespace rafter::lab {

std::uint64_t set_seed(const CaseOptions& options, int set) {
  return mix(options.seed + static_cast<std::uint64_t>(set));
}

CaseArray::CaseArray(ArrayCase& owner, std::string name)
    : name_(std::move(name)), owner_(owner), place_(owner.arrays_.size()) {
  owner.arrays_.push_back(this);
}

std::uint64_t CaseArray::seed(int set) const { return mix(set_seed(owner_.options(), set) ^ mix(place_)); }

void ArrayCase::forget_state() { core::backend(stream_.device()).forget_state(); }

bool ArrayCase::renew(int set, std::uint64_t secret) {
  if (!can_renew()) return false;
  earlier_change_ = changed_input();  // new values would hide it
  std::erase_if(right_results_, [&](const auto& known) { return known.first.first == set; });
  renew_inputs(set, secret);
  return true;
}

void ArrayCase::prepare(int set) {
  forget_state();
  for (CaseArray* array : arrays_) array->prepare(set);
}

void ArrayCase::prepare_timed(int set, std::uint64_t secret) {
  forget_state();
  for (CaseArray* array : arrays_) array->prepare_timed(set, secret = mix(secret));
}

std::uint64_t ArrayCase::results_checksum() const {
  std::uint64_t checksum = 0;
  for (const CaseArray* array : arrays_) checksum = mix(checksum ^ array->results_checksum());
  return checksum;
}

bool ArrayCase::is_known_right(int set) {
  const bool is_damaged =
      std::any_of(arrays_.begin(), arrays_.end(), [](const CaseArray* array) { return array->damage().has_value(); });
  return !is_damaged && right_results_.contains({set, results_checksum()});
}

Comparison ArrayCase::compare_unless_known(int set) {
  const std::uint64_t checksum = results_checksum();
  const auto known = right_results_.find({set, checksum});
  if (known != right_results_.end()) return known->second;
  Comparison result = compare_results(set);
  if (result.ok()) right_results_.emplace(std::pair{set, checksum}, result);
  return result;
}

Comparison ArrayCase::check(int set) {
  std::int64_t n_results = 0;
  for (const CaseArray* array : arrays_) n_results += array->n_results();
  Comparison result = n_results == 0 ? nothing_to_compare() : compare_unless_known(set);
  for (const CaseArray* array : arrays_) {
    const auto damage = array->damage();
    if (damage) result.complaint += (result.complaint.empty() ? "" : "; ") + array->name() + ": " + *damage;
  }
  return result;
}

std::optional<std::string> ArrayCase::changed_input() {
  std::optional<std::string> first = earlier_change_;
  for (CaseArray* array : arrays_) {
    auto change = array->changed();  // no early exit: every changed array restores itself
    if (!first) first = change;
  }
  return first;
}

}  // namespace rafter::lab
