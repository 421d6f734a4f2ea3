// Regular expressions as ECMAScript writes them. std::regex stands behind them, in one file: each that includes it
// takes a compiler three seconds more.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace rafter::base {

class Pattern {
 public:
  /// What was found, and behind it what each group has; "" for one that took no part.
  using Match = std::vector<std::string>;

  explicit Pattern(const std::string& text);

  /// Of the whole text.
  std::optional<Match> match(const std::string& text) const;
  /// The first in it.
  std::optional<Match> find(const std::string& text) const;
  /// One behind the other.
  std::vector<Match> find_all(const std::string& text) const;
  /// With each of them replaced.
  std::string replace(const std::string& text, const std::string& by) const;

 private:
  struct Compiled;
  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace rafter::base
