// Diffs: applying one to the old text gives the new text.
#include "workbench/journal/diff.hpp"

#include <gtest/gtest.h>

#include <random>
#include <sstream>
#include <vector>

namespace rafter::journal {
namespace {

std::vector<std::string> lines_in(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// Applies a diff of texts that end with a line break; returns "" if a line does not match.
std::string patched(const std::string& before, const std::string& diff) {
  const auto old = lines_in(before);
  std::string text;
  std::size_t at = 0;
  for (const std::string& line : lines_in(diff)) {
    if (line.starts_with("--- ") || line.starts_with("+++ ")) continue;
    if (line.starts_with("@@ -")) {
      std::size_t first = std::stoul(line.substr(4));
      if (line.substr(0, line.find(" +")).find(",0") == std::string::npos) --first;
      for (; at < first; ++at) text += old[at] + "\n";
      continue;
    }
    if (line.front() == '+') {
      text += line.substr(1) + "\n";
      continue;
    }
    if (at >= old.size() || old[at] != line.substr(1)) return "";
    if (line.front() == ' ') text += old[at] + "\n";
    ++at;
  }
  for (; at < old.size(); ++at) text += old[at] + "\n";
  return text;
}

TEST(Diff, MatchesTheFormatOfDiff) {
  EXPECT_EQ(unified_diff("a\nb\n", "a\nb\n", "x", "y"), "");
  EXPECT_EQ(unified_diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n", "x", "y"),
            "--- x\n+++ y\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
  EXPECT_EQ(unified_diff("", "a\n", "x", "y"), "--- x\n+++ y\n@@ -0,0 +1 @@\n+a\n");
  EXPECT_EQ(unified_diff("a\n", "", "x", "y"), "--- x\n+++ y\n@@ -1 +0,0 @@\n-a\n");
  EXPECT_EQ(unified_diff("a\nb", "a\nb\n", "x", "y"),
            "--- x\n+++ y\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n");
}

TEST(Diff, HasAHunkForEachPlace) {
  std::string before, after;
  for (int i = 0; i < 40; ++i) {
    before += std::to_string(i) + "\n";
    after += (i == 5 || i == 30 ? "changed" : std::to_string(i)) + "\n";
  }
  const std::string diff = unified_diff(before, after, "x", "y");
  EXPECT_NE(diff.find("@@ -3,7 +3,7 @@"), std::string::npos) << diff;
  EXPECT_NE(diff.find("@@ -28,7 +28,7 @@"), std::string::npos) << diff;
  EXPECT_EQ(changed_lines(diff).n_added, 2);
  EXPECT_EQ(changed_lines(diff).n_removed, 2);
}

TEST(Diff, CountsLinesThatLookLikeAHeader) {
  const ChangedLines n = changed_lines(unified_diff("-- x\n", "++ x\n", "a", "b"));
  EXPECT_EQ(n.n_removed, 1);
  EXPECT_EQ(n.n_added, 1);
}

TEST(Diff, CanBeAppliedToRandomTexts) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    std::string before, after;
    for (int i = static_cast<int>(random() % 30); i > 0; --i)
      before += std::string(1, static_cast<char>('a' + random() % 4)) + "\n";
    for (const char c : before) {
      if (c == '\n') continue;
      if (random() % 4 != 0) after += std::string(1, c) + "\n";
      if (random() % 4 == 0) after += "new\n";
    }
    const std::string diff = unified_diff(before, after, "x", "y");
    if (diff.empty()) {
      EXPECT_EQ(before, after);
    } else {
      EXPECT_EQ(patched(before, diff), after) << diff;
    }
  }
}

TEST(Diff, TerminatesForTextsWithNothingInCommon) {
  std::string before, after;
  for (int i = 0; i < 20000; ++i) {
    before += "old " + std::to_string(i) + "\n";
    after += "new " + std::to_string(i) + "\n";
  }
  EXPECT_EQ(changed_lines(unified_diff(before, after, "x", "y")).n_added, 20000);
}

}  // namespace
}  // namespace rafter::journal
