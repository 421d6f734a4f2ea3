#include "executor/build/rewrite/grid_index.hpp"

namespace rafter::simt::build {

namespace {

/// Whether the type represents the sum exactly: floats round it, narrower integers truncate it.
bool is_wide_integer(std::string_view type) {
  for (const std::string_view one :
       {"int", "unsigned", "uint", "long", "size_t", "int32_t", "uint32_t", "int64_t", "uint64_t"}) {
    if (type == one) return true;
  }
  return false;
}

}  // namespace

bool GridIndex::is_only_use(int first, int last) const {
  for (int i = first; i <= last; ++i) {
    const std::string_view text = tokens_.text(i);
    if (!tokens_.is_identifier(i)) continue;
    if (text != "threadIdx" && text != "blockIdx") {
      const bool hides = expands_to(macros_, text, "threadIdx") || expands_to(macros_, text, "blockIdx");
      if (hides) return false;
      continue;
    }
    if (tokens_.is(i + 1, ".") && (tokens_.is(i + 2, "y") || tokens_.is(i + 2, "z"))) {
      i += 2;
      continue;
    }
    // The sum may begin with a parenthesis or a conversion of blockIdx.x.
    int begin = i;
    for (int open = i - 1; open > i - 6 && open >= first; --open) {
      if (tokens_.is(open, "(") && sum(open) > i) begin = open;
    }
    const int after = sum(begin);
    if (after < 0 || !is_separate(begin) || binds_tighter(after)) return false;
    i = after - 1;
  }
  return true;
}

/// Matches blockIdx.x * blockDim.x + threadIdx.x, in either order. Returns the token after it, or -1.
int GridIndex::sum(int i) const {
  if (const int plus = product(i); plus > 0) return tokens_.is(plus, "+") ? member(plus + 1, "threadIdx") : -1;
  const int plus = member(i, "threadIdx");
  return plus > 0 && tokens_.is(plus, "+") ? product(plus + 1) : -1;
}

/// Matches the product in either order, with or without parentheses or a conversion of the first factor to a one-word
/// type.
int GridIndex::product(int i) const {
  if (tokens_.is(i, "(") && is_wide_integer(tokens_.text(i + 1)) && tokens_.is(i + 2, ")")) i += 3;
  const bool in_parentheses = tokens_.is(i, "(");
  if (in_parentheses) ++i;
  for (const bool swapped : {false, true}) {
    const int times = member(i, swapped ? "blockDim" : "blockIdx");
    const int end = times > 0 && tokens_.is(times, "*") ? member(times + 1, swapped ? "blockIdx" : "blockDim") : -1;
    if (end < 0) continue;
    if (!in_parentheses) return end;
    return tokens_.is(end, ")") ? end + 1 : -1;
  }
  return -1;
}

/// Matches `name.x`. Returns the token after it, or -1.
int GridIndex::member(int i, std::string_view name) const {
  return tokens_.is(i, name) && tokens_.is(i + 1, ".") && tokens_.is(i + 2, "x") ? i + 3 : -1;
}

/// Whether the sum that begins here is not part of something else: a factor, a subtrahend, the argument of a call or of
/// another conversion.
bool GridIndex::is_separate(int begin) const {
  const int i = begin - 1;
  if (tokens_.is_identifier(i)) return tokens_.is(i, "return");
  const bool is_called = tokens_.is(begin, "(") && tokens_.is(i, ">");
  return !binds_tighter(i) && !tokens_.is(i, "-") && !tokens_.is(i, ")") && !tokens_.is(i, "]") && !is_called;
}

/// Whether an operator binds more tightly than the sum.
bool GridIndex::binds_tighter(int i) const {
  for (const std::string_view text : {"*", "/", "%", "!", "~", "++", "--"}) {
    if (tokens_.is(i, text)) return true;
  }
  return false;
}

}  // namespace rafter::simt::build
