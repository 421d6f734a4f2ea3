// Markdown as the documentation uses it: headings, links, code blocks and code in lines.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace rafter::docs {

struct Link {
  int line;
  std::string target;  ///< as written: a path, a path with #anchor, #anchor, or an address
};

struct CodeBlock {
  int line;          ///< of the opening fence
  std::string info;  ///< the words after the fence: "cpp complete"
  std::vector<std::string> lines;
};

struct CodeSpan {
  int line;
  std::string text;
};

struct Page {
  std::filesystem::path path;
  std::set<std::string> anchors;  ///< of headings, as GitHub names them
  std::vector<Link> links;
  std::vector<CodeBlock> blocks;
  std::vector<CodeSpan> spans;
};

/// Returns the anchor of a heading: lower case, words joined by hyphens, no punctuation.
std::string anchor_of(std::string_view heading);

/// Parses a page. A fence that is not closed ends with the page.
Page parse_page(const std::filesystem::path& path, std::string_view text);

/// Returns all pages of a source tree, without those of build folders.
std::vector<Page> pages_of(const std::filesystem::path& tree);

}  // namespace rafter::docs
