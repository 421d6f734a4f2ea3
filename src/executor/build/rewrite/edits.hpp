// Edits of a text that keep every line at its line number.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rafter::simt::build {

class Edits {
 public:
  void insert(std::size_t at, std::string text) { edits_.push_back({at, at, std::move(text)}); }
  /// Replaces [begin, end). The line breaks of the replaced text stay, after the new text.
  void replace(std::size_t begin, std::size_t end, std::string text) {
    edits_.push_back({begin, end, std::move(text)});
  }
  void erase(std::size_t begin, std::size_t end) { replace(begin, end, ""); }
  bool empty() const { return edits_.empty(); }

  /// Returns the edited text. Insertions at the same position appear in the order they were made, before a replacement
  /// that begins there.
  std::string apply(std::string_view source) const;

 private:
  struct Edit {
    std::size_t begin, end;
    std::string text;
  };
  std::vector<Edit> edits_;
};

}  // namespace rafter::simt::build
