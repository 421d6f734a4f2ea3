// Every link of the documentation leads to a file of the tree and, with an anchor, to a heading there.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "docs/markdown.hpp"

namespace rafter::docs {
namespace {

namespace fs = std::filesystem;

/// Explains what is wrong with a link; empty if nothing is.
std::string problem_of(const Page& page, const std::string& target, const std::vector<Page>& pages) {
  if (target.find("://") != std::string::npos || target.starts_with("mailto:")) return "";
  const std::size_t hash = std::min(target.find('#'), target.size());
  const std::string path = target.substr(0, hash);
  const fs::path file = path.empty() ? page.path : (page.path.parent_path() / path).lexically_normal();
  if (!fs::exists(file)) return "there is no file " + file.string();
  if (hash == target.size()) return "";
  for (const Page& other : pages) {
    if (other.path == file)
      return other.anchors.contains(target.substr(hash + 1)) ? "" : file.string() + " has no such heading";
  }
  return file.string() + " is not a page with headings";
}

TEST(Links, LeadToFilesAndHeadings) {
  const std::vector<Page> pages = pages_of(RAFTER_SOURCE_DIR);
  std::size_t n_links = 0;
  for (const Page& page : pages) {
    for (const Link& link : page.links) {
      ++n_links;
      const std::string problem = problem_of(page, link.target, pages);
      EXPECT_EQ(problem, "") << page.path.string() << ":" << link.line << ": the link to " << link.target;
    }
  }
  EXPECT_GT(n_links, 100U);
}

TEST(Links, WrongOnesAreFound) {
  const fs::path readme = fs::path(RAFTER_SOURCE_DIR) / "README.md";
  const std::vector<Page> pages{parse_page(readme,
                                           "# A title\n[a](nothing.md) [b](#no-title) [c](#a-title)\n"
                                           "`[d](code.md)` <img src=\"missing.png\">\n```\n[e](block.md)\n```\n")};
  ASSERT_EQ(pages[0].links.size(), 4U);
  EXPECT_NE(problem_of(pages[0], pages[0].links[0].target, pages), "");
  EXPECT_NE(problem_of(pages[0], pages[0].links[1].target, pages), "");
  EXPECT_EQ(problem_of(pages[0], pages[0].links[2].target, pages), "");
  EXPECT_NE(problem_of(pages[0], pages[0].links[3].target, pages), "");
}

TEST(Markdown, NamesAnchorsAsGitHubDoes) {
  EXPECT_EQ(anchor_of("Run one kernel"), "run-one-kernel");
  EXPECT_EQ(anchor_of("What `rafter check` finds, and why"), "what-rafter-check-finds-and-why");
  EXPECT_EQ(anchor_of("A [link](somewhere.md) here"), "a-link-here");
  const Page page = parse_page("page.md", "# Same\n## Same\n");
  EXPECT_TRUE(page.anchors.contains("same-1"));
}

}  // namespace
}  // namespace rafter::docs
