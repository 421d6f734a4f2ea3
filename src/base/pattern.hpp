// ECMAScript regular expressions. Only pattern.cpp includes <regex>, which takes three seconds to compile.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace rafter::base {

class Pattern {
 public:
  /// The matched text, followed by the text of each group; "" for a group that did not take part.
  using Match = std::vector<std::string>;

  explicit Pattern(const std::string& text);

  /// Matches the whole text.
  std::optional<Match> match(const std::string& text) const;
  /// Returns the first match in the text.
  std::optional<Match> find(const std::string& text) const;
  /// Returns all matches, in order.
  std::vector<Match> find_all(const std::string& text) const;
  /// Returns the text with all matches replaced.
  std::string replace(const std::string& text, const std::string& by) const;

 private:
  struct Compiled;
  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace rafter::base
