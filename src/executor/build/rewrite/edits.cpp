#include "executor/build/rewrite/edits.hpp"

#include <algorithm>

namespace rafter::simt::build {

namespace {

/// Returns the line breaks of a piece of source. Continued lines stay continued, as a #define requires.
std::string line_breaks(std::string_view source) {
  std::string breaks;
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source[i] != '\n') continue;
    const std::size_t before = i > 0 && source[i - 1] == '\r' ? i - 1 : i;
    breaks += before > 0 && source[before - 1] == '\\' ? " \\\n" : "\n";
  }
  return breaks;
}

}  // namespace

std::string Edits::apply(std::string_view source) const {
  std::vector<const Edit*> order;
  for (const Edit& edit : edits_) order.push_back(&edit);
  std::stable_sort(order.begin(), order.end(), [](const Edit* a, const Edit* b) {
    if (a->begin != b->begin) return a->begin < b->begin;
    return (a->begin == a->end) > (b->begin == b->end);
  });
  std::string result;
  std::size_t at = 0;
  for (const Edit* edit : order) {
    if (edit->begin < at) continue;  // inside text that another edit replaced
    result += source.substr(at, edit->begin - at);
    result += edit->text;
    result += line_breaks(source.substr(edit->begin, edit->end - edit->begin));
    at = edit->end;
  }
  return result += source.substr(at);
}

}  // namespace rafter::simt::build
