// The inputs of a case: the same shape several times over, with different numbers, so that no kernel lives off a cache.
#pragma once

#include <vector>

#include "lab/generate.hpp"
#include "lab/workload.hpp"

namespace rafter::lab {

template <class T>
class InputSets {
 public:
  InputSets(const Stream& stream, std::int64_t size, const CaseOptions& options) {
    for (int set = 0; set < options.n_input_sets; ++set) {
      const auto kind = set == 0 ? Generator::Kind::whole : Generator::Kind::bell;
      generators_.push_back({kind, mix(options.seed + static_cast<std::uint64_t>(set))});
      arrays_.emplace_back(stream, size, options.offset);
      fill(arrays_.back(), generators_.back());
    }
  }

  int count() const { return static_cast<int>(arrays_.size()); }
  std::span<const T> span(int set) const { return arrays_[static_cast<std::size_t>(set)].span(); }
  const Generator& generator(int set) const { return generators_[static_cast<std::size_t>(set)]; }

  /// Set 0 holds whole numbers: sums of them have no rounding error to allow for.
  bool is_exact(int set) const { return generator(set).kind == Generator::Kind::whole; }

  /// Nothing when all sets are what they were; otherwise what changed first, and they are made again.
  std::optional<std::string> changed() {
    std::optional<std::string> first;
    for (std::size_t set = 0; set < arrays_.size(); ++set) {
      auto complaint = find_change(arrays_[set], generators_[set]);
      if (auto damage = arrays_[set].damage(); damage && !complaint) complaint = "input: " + *damage;
      if (!complaint) continue;
      arrays_[set].poison();
      fill(arrays_[set], generators_[set]);
      if (!first) first = complaint;
    }
    return first;
  }

 private:
  std::vector<Generator> generators_;
  std::vector<GuardedArray<T>> arrays_;
};

}  // namespace rafter::lab
