// Pairs of places with unordered volatile (or one volatile, one atomic) accesses to the same word. This is correct
// for a flag that orders other accesses. Whether it does is known at the end of the launch.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_set>
#include <utility>

#include "executor/process/finding.hpp"

namespace rafter::simt {

class VolatilePairs {
 public:
  void clear() { pairs_.clear(); }

  /// Whether the pair is known. If so, adds the word to it.
  bool find(std::uint64_t pair, const void* word) {
    constexpr std::size_t most_words = 4096;
    const auto at = pairs_.find(pair);
    if (at == pairs_.end()) return false;
    if (at->second.words.size() < most_words) at->second.words.insert(word);
    ++at->second.finding.count;
    return true;
  }
  void add(std::uint64_t pair, const void* word, Finding finding) {
    if (!find(pair, word)) pairs_.emplace(pair, Pair{std::move(finding), {word}});
  }

  /// Calls f(finding) for each pair that has ordered nothing by any of its words.
  template <class HasOrdered, class F>
  void report_unordered(const HasOrdered& has_ordered, F&& f) {
    for (auto& [key, pair] : pairs_) {
      bool is_flag = false;
      for (const void* word : pair.words) is_flag = is_flag || has_ordered(word);
      if (!is_flag) f(std::move(pair.finding));
    }
    pairs_.clear();
  }

 private:
  struct Pair {
    Finding finding;
    std::unordered_set<const void*> words;
  };
  std::map<std::uint64_t, Pair> pairs_;  // by both places
};

}  // namespace rafter::simt
