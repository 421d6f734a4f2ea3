// The arrays of a case, which are its members:
//
//   Input    read only, one per input set; sets rotate so that no kernel runs from a warm cache
//   Weights  read only, the same for all input sets
//   Output   written by a launch; poisoned before, or filled with random bits, so that elements left unwritten show
//   InOut    read and written, restored before each launch that is checked
//   Work     scratch, filled before as an output is, with any contents after
//
// All are placed between guard zones and misaligned by the offset in the case's options.
#pragma once

#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include "workbench/lab/cases/array_case.hpp"
#include "workbench/lab/data/generate.hpp"

namespace rafter::lab {

/// Returns the generator for a seed. Numbers are whole in set 0 and for integer types, bell-shaped otherwise.
template <class T, class Generate>
Generate standard_generator(int set, std::uint64_t seed) {
  if constexpr (std::is_same_v<Generate, Generator>) {
    return {set == 0 || std::is_integral_v<T> ? Generator::Kind::whole : Generator::Kind::bell, seed};
  } else {
    return Generate{seed};
  }
}

/// One or more arrays of the same form, and the generators of their elements.
template <class T, class Generate>
class GeneratedArrays : public CaseArray {
 public:
  using MakeGenerator = std::function<Generate(int set, std::uint64_t seed)>;

  const Generate& generator(int set) const { return generators_[static_cast<std::size_t>(set)]; }
  /// Returns element `index` of a set as generated.
  T element(int set, std::int64_t index) const { return static_cast<T>(generator(set)(index)); }
  /// Whether the set has whole numbers, so that sums have no rounding error.
  bool is_exact(int set) const requires std::is_same_v<Generate, Generator> {
    return generator(set).kind == Generator::Kind::whole;
  }

 protected:
  GeneratedArrays(ArrayCase& owner, std::string name, int n_generators, const MakeGenerator& make)
      : CaseArray(owner, std::move(name)) {
    for (int set = 0; set < n_generators; ++set) generators_.push_back(make(set, seed(set)));
  }

  void replace_generator(int set, Generate generator) {
    generators_[static_cast<std::size_t>(set)] = std::move(generator);
  }

 private:
  std::vector<Generate> generators_;
};

/// Arrays that rungs must not write.
template <class T, class Generate>
class ReadOnlyArrays : public GeneratedArrays<T, Generate> {
 public:
  std::int64_t size() const { return arrays_.front().size(); }

  void prepare(int set) final {
    for (std::size_t i = 0; i < arrays_.size(); ++i)
      arrays_[i].set_argument(arrays_.size() == 1 || i == static_cast<std::size_t>(set));
  }

  std::optional<std::string> changed() final {
    std::optional<std::string> first;
    for (std::size_t set = 0; set < arrays_.size(); ++set) {
      const auto change = change_of(set);
      if (!change) continue;
      if (!first) first = change;
      arrays_[set].poison();  // restores the guard zones
      fill(arrays_[set], this->generator(static_cast<int>(set)));
    }
    return first;
  }

 protected:
  ReadOnlyArrays(ArrayCase& owner, std::string name, std::int64_t size, int n_arrays,
                 const typename GeneratedArrays<T, Generate>::MakeGenerator& make)
      : GeneratedArrays<T, Generate>(owner, std::move(name), n_arrays, make) {
    for (int set = 0; set < n_arrays; ++set) {
      arrays_.emplace_back(owner.stream(), size, owner.options().offset);
      fill(arrays_.back(), this->generator(set));
      checksums_.push_back(arrays_.back().checksum());
    }
  }

  std::span<const T> array(int set) const { return arrays_[static_cast<std::size_t>(set)].span(); }

  void replace_array(int set, Generate generator) {
    GuardedArray<T>& array = arrays_[static_cast<std::size_t>(set)];
    this->replace_generator(set, std::move(generator));
    fill(array, this->generator(set));
    checksums_[static_cast<std::size_t>(set)] = array.checksum();
  }

 private:
  std::optional<std::string> change_of(std::size_t set) const {
    if (arrays_[set].checksum() != checksums_[set]) {
      if (const auto at = find_change(arrays_[set], this->generator(static_cast<int>(set))))
        return this->name() + " was changed at [" + std::to_string(*at) + "]";
    }
    if (const auto damage = arrays_[set].damage()) return this->name() + ": " + *damage;
    return std::nullopt;
  }

  std::vector<GuardedArray<T>> arrays_;
  std::vector<std::uint64_t> checksums_;  // of the generated contents
};

template <class T, class Generate = Generator>
class Input final : public ReadOnlyArrays<T, Generate> {
 public:
  Input(ArrayCase& owner, std::string name, std::int64_t size,
        const typename Input::MakeGenerator& make = standard_generator<T, Generate>)
      : ReadOnlyArrays<T, Generate>(owner, std::move(name), size, owner.n_input_sets(), make) {}

  std::span<const T> span(int set) const { return this->array(set); }
  /// Replaces the values of a set.
  void renew(int set, Generate generator) { this->replace_array(set, std::move(generator)); }
};

template <class T, class Generate = Generator>
class Weights final : public ReadOnlyArrays<T, Generate> {
 public:
  Weights(ArrayCase& owner, std::string name, std::int64_t size,
          const typename Weights::MakeGenerator& make = standard_generator<T, Generate>)
      : ReadOnlyArrays<T, Generate>(owner, std::move(name), size, 1, make) {}

  std::span<const T> span() const { return this->array(0); }
  T element(std::int64_t index) const { return ReadOnlyArrays<T, Generate>::element(0, index); }
};

/// Whether a launch writes all elements of an output, or must leave some as they were.
enum class Writes { all, some };

template <class T>
class Output final : public CaseArray {
 public:
  /// An output with Writes::some holds the poison before timed launches, too: elements that a launch leaves keep it.
  Output(ArrayCase& owner, std::string name, std::int64_t size, Writes writes = Writes::all)
      : CaseArray(owner, std::move(name)), array_(owner.stream(), size, owner.options().offset), writes_(writes) {}

  T* data() { return array_.data(); }
  std::span<T> span() { return array_.span(); }
  std::int64_t size() const { return array_.size(); }
  std::span<const T> span() const { return array_.span(); }
  std::span<const T> on_host() const { return array_.on_host(); }
  const T* loop_data() const { return array_.loop_data(); }
  /// Compares the elements with `expected(index)`: an Expectation, or a T to match bit by bit.
  template <class Expected>
  Comparison compare_with(const Expected& expected) const {
    return array_.compare_with(expected);
  }

  void prepare(int /*set*/) final { array_.poison(); }
  void prepare_timed(int set, std::uint64_t secret) final {
    if (writes_ == Writes::some) return prepare(set);
    array_.scramble(secret);
  }
  std::int64_t n_results() const final { return size(); }
  std::uint64_t results_checksum() const final { return array_.checksum(); }
  std::optional<std::string> damage() const final { return array_.damage(); }

 private:
  GuardedArray<T> array_;
  Writes writes_;
};

template <class T, class Generate = Generator>
class InOut final : public GeneratedArrays<T, Generate> {
 public:
  InOut(ArrayCase& owner, std::string name, std::int64_t size,
        const typename InOut::MakeGenerator& make = standard_generator<T, Generate>)
      : GeneratedArrays<T, Generate>(owner, std::move(name), owner.n_input_sets(), make),
        array_(owner.stream(), size, owner.options().offset) {
    prepare(0);
  }

  T* data() { return array_.data(); }
  std::span<T> span() { return array_.span(); }
  std::int64_t size() const { return array_.size(); }
  std::span<const T> span() const { return array_.span(); }
  std::span<const T> on_host() const { return array_.on_host(); }
  const T* loop_data() const { return array_.loop_data(); }
  /// Compares the elements with `expected(index)`: an Expectation, or a T to match bit by bit.
  template <class Expected>
  Comparison compare_with(const Expected& expected) const {
    return array_.compare_with(expected);
  }

  void prepare(int set) final {
    array_.poison();  // restores the guard zones
    fill(array_, this->generator(set));
  }
  void prepare_timed(int set, std::uint64_t /*secret*/) final { fill(array_, this->generator(set)); }
  /// Replaces the values of a set from the next launch on that is prepared.
  void renew(int set, Generate generator) { this->replace_generator(set, std::move(generator)); }
  std::int64_t n_results() const final { return size(); }
  std::uint64_t results_checksum() const final { return array_.checksum(); }
  std::optional<std::string> damage() const final { return array_.damage(); }

 private:
  GuardedArray<T> array_;
};

template <class T>
class Work final : public CaseArray {
 public:
  Work(ArrayCase& owner, std::string name, std::int64_t size)
      : CaseArray(owner, std::move(name)), array_(owner.stream(), size, owner.options().offset) {}

  T* data() { return array_.data(); }
  std::span<T> span() { return array_.span(); }

  void prepare(int /*set*/) final { array_.poison(); }
  void prepare_timed(int /*set*/, std::uint64_t secret) final { array_.scramble(secret); }
  std::optional<std::string> damage() const final { return array_.damage(); }

 private:
  GuardedArray<T> array_;
};

}  // namespace rafter::lab
