#include "workbench/journal/diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace rafter::journal {

namespace {

using Lines = std::vector<std::string_view>;

constexpr const char* no_newline = "\\ No newline at end of file\n";

/// Splits the text into lines with their line breaks; the last line may lack one.
Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t n = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, n));
    text.remove_prefix(n);
  }
  return lines;
}

/// A line of the edit: in both texts, only in the old one, or only in the new one.
struct Edit {
  char kind = ' ';  ///< ' ', '-' or '+'
  std::string_view line{};
};

void add(std::vector<Edit>& to, char kind, Lines::const_iterator from, Lines::const_iterator end) {
  for (; from != end; ++from) to.push_back({kind, *from});
}

/// Myers' greedy algorithm over two ranges that differ in their first and last lines. If more than `most_edits` edits
/// are needed, the texts have little in common, and the whole old text is replaced by the new one.
class Shortest {
 public:
  Shortest(const Lines& a, const Lines& b) : a_(a), b_(b) {}

  std::vector<Edit> edits() {
    std::vector<Edit> result;
    if (!search()) {
      add(result, '-', a_.begin(), a_.end());
      add(result, '+', b_.begin(), b_.end());
      return result;
    }
    int x = n(a_), y = n(b_);
    for (std::size_t d = reached_.size(); d-- > 0;) {
      const int k = x - y, from = step_down(reached_[d], k, static_cast<int>(d)) ? k + 1 : k - 1;
      const int start_x = d > 0 ? at(reached_[d], from) : 0, start_y = d > 0 ? start_x - from : 0;
      for (; x > start_x && y > start_y; --y) result.push_back({' ', a_[static_cast<std::size_t>(--x)]});
      if (d == 0) break;
      result.push_back(x == start_x ? Edit{'+', b_[static_cast<std::size_t>(start_y)]}
                                    : Edit{'-', a_[static_cast<std::size_t>(start_x)]});
      x = start_x;
      y = start_y;
    }
    std::reverse(result.begin(), result.end());
    return result;
  }

 private:
  static constexpr int most_edits = 3000;
  using Reached = std::vector<int>;  // x by diagonal, -d to d

  static int n(const Lines& lines) { return static_cast<int>(lines.size()); }
  static int at(const Reached& reached, int k) {
    const auto middle = static_cast<int>(reached.size() / 2);
    return k + middle >= 0 && k + middle < static_cast<int>(reached.size())
               ? reached[static_cast<std::size_t>(k + middle)]
               : -1;
  }
  /// Whether edit d reaches diagonal k from the one above, by a line of the new text.
  static bool step_down(const Reached& before, int k, int d) {
    return k == -d || (k != d && at(before, k - 1) < at(before, k + 1));
  }

  /// Fills reached_ with the furthest position on each diagonal before each edit; returns false if there are too many
  /// edits.
  bool search() {
    Reached last;
    for (int d = 0; d <= most_edits; ++d) {
      reached_.push_back(last);
      Reached now(static_cast<std::size_t>(2 * d + 1));
      for (int k = -d; k <= d; k += 2) {
        int x = d == 0 ? 0 : step_down(last, k, d) ? at(last, k + 1) : at(last, k - 1) + 1;
        while (x < n(a_) && x - k < n(b_) && a_[static_cast<std::size_t>(x)] == b_[static_cast<std::size_t>(x - k)])
          ++x;
        now[static_cast<std::size_t>(k + d)] = x;
        if (x >= n(a_) && x - k >= n(b_)) return true;
      }
      last = std::move(now);
    }
    return false;
  }

  const Lines &a_, &b_;
  std::vector<Reached> reached_;
};

std::vector<Edit> edits_of(const Lines& a, const Lines& b) {
  const auto [from_a, from_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  const auto n_rest = static_cast<std::size_t>(std::min(a.end() - from_a, b.end() - from_b));
  const auto [back_a, back_b] = std::mismatch(a.rbegin(), a.rbegin() + static_cast<std::ptrdiff_t>(n_rest), b.rbegin());
  std::vector<Edit> all;
  add(all, ' ', a.begin(), from_a);
  const std::vector<Edit> middle = Shortest(Lines(from_a, back_a.base()), Lines(from_b, back_b.base())).edits();
  all.insert(all.end(), middle.begin(), middle.end());
  add(all, ' ', back_a.base(), a.end());
  return all;
}

/// Returns one hunk of the diff: the edits in [first, end), beginning at these lines.
std::string hunk_text(const std::vector<Edit>& edits, std::size_t first, std::size_t end, int line_a, int line_b) {
  int n_a = 0, n_b = 0;
  std::string body;
  for (std::size_t i = first; i < end; ++i) {
    n_a += edits[i].kind != '+';
    n_b += edits[i].kind != '-';
    body += edits[i].kind;
    body += edits[i].line;
    if (!edits[i].line.ends_with('\n')) body += std::string("\n") + no_newline;
  }
  const auto range = [](int line, int n) {
    return n == 1 ? fmt::format("{}", line) : fmt::format("{},{}", n == 0 ? line - 1 : line, n);
  };
  return fmt::format("@@ -{} +{} @@\n", range(line_a, n_a), range(line_b, n_b)) + body;
}

/// Returns the length in a hunk's header: 7 for "-3,7", 1 for "-3".
int length_after(std::string_view head, char sign) {
  const std::size_t from = head.find(sign), end = head.find(' ', from), comma = head.find(',', from);
  return comma < end ? std::atoi(std::string(head.substr(comma + 1, end - comma - 1)).c_str()) : 1;
}

}  // namespace

std::string unified_diff(std::string_view before, std::string_view after, const std::string& name_before,
                         const std::string& name_after) {
  if (before == after) return "";
  constexpr std::size_t context = 3;
  const std::vector<Edit> edits = edits_of(lines_of(before), lines_of(after));
  std::string text = fmt::format("--- {}\n+++ {}\n", name_before, name_after);
  int line_a = 1, line_b = 1;
  std::size_t at = 0;
  while (at < edits.size()) {
    std::size_t change = at;
    while (change < edits.size() && edits[change].kind == ' ') ++change;
    if (change == edits.size()) break;
    const std::size_t first = change - std::min(context, change - at);
    line_a += static_cast<int>(first - at);
    line_b += static_cast<int>(first - at);
    std::size_t end = change, n_same = 0;  // the hunk ends after more than two contexts of unchanged lines
    for (std::size_t i = change; i < edits.size() && n_same <= 2 * context; ++i) {
      n_same = edits[i].kind == ' ' ? n_same + 1 : 0;
      if (n_same == 0) end = i + 1;
    }
    end = std::min(end + context, edits.size());
    text += hunk_text(edits, first, end, line_a, line_b);
    for (; at < end; ++at) {
      if (at < first) continue;
      line_a += edits[at].kind != '+';
      line_b += edits[at].kind != '-';
    }
  }
  return text;
}

// Uses the lengths of hunks, because a removed line may look like a file header.
ChangedLines changed_lines(const std::string& diff) {
  ChangedLines n;
  int left_a = 0, left_b = 0;
  for (const std::string_view line : lines_of(diff)) {
    if (left_a <= 0 && left_b <= 0) {
      if (line.starts_with("@@ -")) {
        left_a = length_after(line, '-');
        left_b = length_after(line, '+');
      }
      continue;
    }
    if (line.front() == '\\') continue;
    n.n_added += line.front() == '+';
    n.n_removed += line.front() == '-';
    left_a -= line.front() != '+';
    left_b -= line.front() != '-';
  }
  return n;
}

}  // namespace rafter::journal
