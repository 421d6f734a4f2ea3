#include "docs/markdown.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>

namespace rafter::docs {

namespace fs = std::filesystem;

namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

/// Adds the targets of `attribute="..."` in a line of HTML.
void add_attribute(Page& page, int number, std::string_view line, std::string_view attribute) {
  const std::string start = std::string(attribute) + "=\"";
  for (std::size_t at = line.find(start); at != std::string_view::npos; at = line.find(start, at + 1)) {
    const std::size_t begin = at + start.size(), end = line.find('"', begin);
    if (end == std::string_view::npos) return;
    page.links.push_back({number, std::string(line.substr(begin, end - begin))});
  }
}

/// Adds the links of a line without code, [text](target).
void add_links(Page& page, int number, std::string_view line) {
  for (std::size_t at = line.find("]("); at != std::string_view::npos; at = line.find("](", at + 1)) {
    const std::size_t end = line.find(')', at);
    if (end == std::string_view::npos) return;
    page.links.push_back({number, std::string(line.substr(at + 2, end - at - 2))});
  }
  add_attribute(page, number, line, "src");
  add_attribute(page, number, line, "srcset");
  add_attribute(page, number, line, "href");
}

/// Moves the code in a line, `...`, to the page and returns the rest of the line.
std::string without_code(Page& page, int number, std::string_view line) {
  std::string rest;
  for (std::size_t at = 0; at < line.size();) {
    if (line[at] != '`') {
      rest += line[at++];
      continue;
    }
    const std::size_t ticks = std::min(line.find_first_not_of('`', at), line.size()) - at;
    const std::size_t end = line.find(std::string(ticks, '`'), at + ticks);
    if (end == std::string_view::npos) return rest + std::string(line.substr(at));
    page.spans.push_back({number, std::string(trimmed(line.substr(at + ticks, end - at - ticks)))});
    at = end + ticks;
  }
  return rest;
}

}  // namespace

std::string anchor_of(std::string_view heading) {
  std::string anchor;
  bool in_target = false;  // of a link: [text](target)
  for (std::size_t i = 0; i < heading.size(); ++i) {
    const auto c = static_cast<unsigned char>(heading[i]);
    if (c == '(' && i > 0 && heading[i - 1] == ']') in_target = true;
    if (c == ')') in_target = false;
    if (in_target) continue;
    if (std::isalnum(c) != 0 || c == '_' || c == '-' || c >= 0x80) anchor += static_cast<char>(std::tolower(c));
    if (c == ' ') anchor += '-';
  }
  return anchor;
}

Page parse_page(const fs::path& path, std::string_view text) {
  Page page{path, {}, {}, {}, {}};
  std::istringstream in{std::string(text)};
  std::string line, fence;
  for (int number = 1; std::getline(in, line); ++number) {
    const std::string_view words = trimmed(line);
    if (!fence.empty()) {
      if (words == fence)
        fence.clear();
      else
        page.blocks.back().lines.push_back(line);
      continue;
    }
    if (words.starts_with("```") && words.find('`', 3) == std::string_view::npos) {
      fence = "```";
      page.blocks.push_back({number, std::string(trimmed(words.substr(3))), {}});
      continue;
    }
    if (line.starts_with('#')) {
      const std::string anchor = anchor_of(trimmed(std::string_view(line).substr(line.find_first_not_of('#'))));
      std::string unique = anchor;
      for (int n = 1; page.anchors.contains(unique); ++n) unique = anchor + "-" + std::to_string(n);
      page.anchors.insert(unique);
    }
    add_links(page, number, without_code(page, number, line));
  }
  return page;
}

std::vector<Page> pages_of(const fs::path& tree) {
  std::vector<Page> pages;
  for (auto it = fs::recursive_directory_iterator(tree); it != fs::recursive_directory_iterator(); ++it) {
    const std::string name = it->path().filename().string();
    if (it->is_directory() && (name == "build" || (name.starts_with(".") && name != ".ci"))) {
      it.disable_recursion_pending();
      continue;
    }
    if (it->path().extension() != ".md") continue;
    std::ostringstream text;
    text << std::ifstream(it->path()).rdbuf();
    pages.push_back(parse_page(it->path(), text.str()));
  }
  std::sort(pages.begin(), pages.end(), [](const Page& a, const Page& b) { return a.path < b.path; });
  return pages;
}

}  // namespace rafter::docs
