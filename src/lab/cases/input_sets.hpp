// The inputs of a case: the same shape several times over, with different numbers, so that no kernel lives off a cache.
#pragma once

#include <type_traits>
#include <vector>

#include "lab/cases/array_case.hpp"
#include "lab/cases/generate.hpp"
#include "lab/workload/workload.hpp"

namespace rafter::lab {

template <class T, class Generate = Generator>
class InputSets {
 public:
  /// One array of `size` elements for each generator.
  InputSets(const Stream& stream, std::int64_t size, std::vector<Generate> generators, std::int64_t offset)
      : generators_(std::move(generators)) {
    for (const Generate& generator : generators_) {
      arrays_.emplace_back(stream, size, offset);
      fill(arrays_.back(), generator);
      checksums_.push_back(arrays_.back().checksum());
    }
  }

  /// Numbers to calculate with: whole ones in set 0 and for integers, bell-shaped ones elsewhere.
  InputSets(const Stream& stream, std::int64_t size,
            const CaseOptions& options) requires std::is_same_v<Generate, Generator>
      : InputSets(stream, size, numbers(options), options.offset) {}

  int count() const { return static_cast<int>(arrays_.size()); }
  std::span<const T> span(int set) const { return arrays_[static_cast<std::size_t>(set)].span(); }
  const Generate& generator(int set) const { return generators_[static_cast<std::size_t>(set)]; }

  /// Element `index` of a set, as it is in the array.
  T element(int set, std::int64_t index) const { return static_cast<T>(generator(set)(index)); }

  /// Sums of whole numbers have no rounding error to allow for.
  bool is_exact(int set) const requires std::is_same_v<Generate, Generator> {
    return generator(set).kind == Generator::Kind::whole;
  }

  /// Nothing when all sets are what they were; otherwise what changed first, and they are made again.
  std::optional<std::string> changed() {
    std::optional<std::string> first;
    for (std::size_t set = 0; set < arrays_.size(); ++set) {
      std::optional<std::string> complaint;
      if (arrays_[set].checksum() != checksums_[set]) {
        if (const auto at = find_change(arrays_[set], generators_[set]))
          complaint = "the input was changed at [" + std::to_string(*at) + "]";
      }
      if (auto damage = arrays_[set].damage(); damage && !complaint) complaint = "input: " + *damage;
      if (!complaint) continue;
      arrays_[set].poison();
      fill(arrays_[set], generators_[set]);
      if (!first) first = complaint;
    }
    return first;
  }

 private:
  static std::vector<Generator> numbers(const CaseOptions& options) {
    std::vector<Generator> generators;
    for (int set = 0; set < options.n_input_sets; ++set) {
      const bool whole = set == 0 || std::is_integral_v<T>;
      generators.push_back({whole ? Generator::Kind::whole : Generator::Kind::bell, set_seed(options, set)});
    }
    return generators;
  }

  std::vector<Generate> generators_;
  std::vector<GuardedArray<T>> arrays_;
  std::vector<std::uint64_t> checksums_;  // as the generators made them
};

}  // namespace rafter::lab
