// Whether the conditions that exclude threads of a row admit an interval of threads. If so, all threads of the row pass
// when the first and the last do.
#pragma once

#include <set>
#include <string_view>

#include "executor/build/rewrite/lexer.hpp"

namespace rafter::simt::build {

class GuardShape {
 public:
  explicit GuardShape(const Tokens& tokens) : tokens_(tokens) {}

  /// Adds `name = value, name = value`, from the first name to the last token.
  void add_variables(int first, int last);
  /// Adds a condition. Its parts are joined by `&&` if threads must fulfil it, by `||` if it makes them return.
  void add_condition(int first, int last, std::string_view joined_by);

  bool are_intervals() const { return are_intervals_; }

 private:
  bool is_part_of_interval(int first, int last) const;
  /// Whether the expression is the same for all threads of a row.
  bool is_uniform(int first, int last) const;
  /// Whether the expression grows by one from thread to thread, and fits an int.
  bool is_index(int first, int last) const;

  const Tokens& tokens_;
  std::set<std::string_view> indices_, varying_;
  bool are_intervals_ = true;
};

}  // namespace rafter::simt::build
