#include "executor/build/rewrite/guards.hpp"

#include <algorithm>
#include <cstdlib>

namespace rafter::simt::build {

void GuardShape::add_variables(int first, int last) {
  for (int i = first; i <= last;) {
    const int value = i + 2;  // name =
    int end = value;
    while (end <= last && !tokens_.is(end, ",")) end = std::max(end, tokens_.partner(end)) + 1;
    const std::string_view name = tokens_.text(i);
    indices_.erase(name);
    varying_.erase(name);
    if (is_index(value, end - 1)) {
      indices_.insert(name);
    } else if (!is_uniform(value, end - 1)) {
      varying_.insert(name);
    }
    i = end + 1;
  }
}

void GuardShape::add_condition(int first, int last, std::string_view joined_by) {
  for (int i = first; i <= last;) {
    int end = i;
    while (end <= last && !tokens_.is(end, joined_by)) end = std::max(end, tokens_.partner(end)) + 1;
    are_intervals_ = are_intervals_ && is_part_of_interval(i, end - 1);
    i = end + 1;
  }
}

/// Matches `i < n` and the like, with the index on either side.
bool GuardShape::is_part_of_interval(int first, int last) const {
  if (is_uniform(first, last)) return true;
  int comparison = first;
  const auto compares = [&](int i) {
    return tokens_.is(i, "<") || tokens_.is(i, "<=") || tokens_.is(i, ">") || tokens_.is(i, ">=");
  };
  while (comparison <= last && !compares(comparison))
    comparison = std::max(comparison, tokens_.partner(comparison)) + 1;
  const auto joins = [&](int i) {
    return compares(i) || tokens_.is(i, "&&") || tokens_.is(i, "||") || tokens_.is(i, "&") || tokens_.is(i, "|");
  };
  for (int i = comparison + 1; i <= last; ++i) {
    if (joins(i)) return false;
  }
  return (is_index(first, comparison - 1) && is_uniform(comparison + 1, last)) ||
         (is_uniform(first, comparison - 1) && is_index(comparison + 1, last));
}

bool GuardShape::is_uniform(int first, int last) const {
  for (int i = first; i <= last; ++i) {
    if (tokens_.is(i, "threadIdx") && !(tokens_.is(i + 1, ".") && (tokens_.is(i + 2, "y") || tokens_.is(i + 2, "z"))))
      return false;
    if (!tokens_.is(i - 1, ".") && (indices_.contains(tokens_.text(i)) || varying_.contains(tokens_.text(i))))
      return false;
  }
  return first <= last;
}

/// Matches an index variable, or a sum of threadIdx.x and the block's first index: blockIdx.x times the block size,
/// which is at most 1024, so that the sum fits.
bool GuardShape::is_index(int first, int last) const {
  if (first == last) return indices_.contains(tokens_.text(first));
  const auto is_member = [&](int i, std::string_view name) {
    return tokens_.is(i, name) && tokens_.is(i + 1, ".") && tokens_.is(i + 2, "x");
  };
  const auto is_first = [&](int i, int end) {  // blockIdx.x * blockDim.x or blockIdx.x * 256, in either order
    for (const bool swapped : {false, true}) {
      const bool is_number = tokens_[swapped ? i : end].kind == TokenKind::number &&
                             std::strtoul(tokens_.text(swapped ? i : end).data(), nullptr, 0) <= 1024;
      if (is_number && end == i + 4 && tokens_.is(swapped ? i + 1 : i + 3, "*") &&
          is_member(swapped ? i + 2 : i, "blockIdx"))
        return true;
    }
    return end == i + 6 && tokens_.is(i + 3, "*") &&
           ((is_member(i, "blockIdx") && is_member(i + 4, "blockDim")) ||
            (is_member(i, "blockDim") && is_member(i + 4, "blockIdx")));
  };
  if (is_member(first, "threadIdx"))
    return last == first + 2 || (tokens_.is(first + 3, "+") && is_first(first + 4, last));
  return is_member(last - 2, "threadIdx") && tokens_.is(last - 3, "+") && is_first(first, last - 4);
}

}  // namespace rafter::simt::build
