#include "base/pattern.hpp"

#include <regex>

namespace rafter::base {

struct Pattern::Compiled {
  std::regex regex;
};

namespace {

Pattern::Match groups_of(const std::smatch& match) {
  Pattern::Match groups;
  for (const auto& group : match) groups.push_back(group.str());
  return groups;
}

}  // namespace

Pattern::Pattern(const std::string& text) : compiled_(std::make_shared<Compiled>(Compiled{std::regex(text)})) {}

std::optional<Pattern::Match> Pattern::match(const std::string& text) const {
  std::smatch match;
  if (!std::regex_match(text, match, compiled_->regex)) return std::nullopt;
  return groups_of(match);
}

std::optional<Pattern::Match> Pattern::find(const std::string& text) const {
  std::smatch match;
  if (!std::regex_search(text, match, compiled_->regex)) return std::nullopt;
  return groups_of(match);
}

std::vector<Pattern::Match> Pattern::find_all(const std::string& text) const {
  std::vector<Match> all;
  for (std::sregex_iterator at(text.begin(), text.end(), compiled_->regex), end; at != end; ++at)
    all.push_back(groups_of(*at));
  return all;
}

std::string Pattern::replace(const std::string& text, const std::string& by) const {
  return std::regex_replace(text, compiled_->regex, by);
}

}  // namespace rafter::base
