// The project is written in plain technical English: this test refuses words that readers had to decode, and
// documentation comments that are fragments. docs/architecture.md has the glossary, the one place that may name such a
// word.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace rafter::architecture {
namespace {

namespace fs = std::filesystem;

const fs::path sources = RAFTER_SOURCE_DIR;
const char* const this_file = "tests/architecture/english_test.cpp";

/// Words for people, where a thread, a process or a file is meant; and private words, with the field's word.
const std::set<std::string, std::less<>> refused_words{
    "nobody",    "somebody", "whoever", "anybody",  "everybody", "he",     "his",        "him",      "stranger",
    "strangers", "twin",     "twins",   "handover", "handovers", "glance", "glances",    "rivals",   "parties",
    "room",      "rooms",    "house",   "manieth",  "told",      "stands", "sudden_end", "hand_over"};

const std::array<std::string_view, 8> refused_phrases{"hand-over", "hands over", "handed over",  "held against",
                                                      "in vain",   "sudden end", "hold against", "holds against"};

/// First words of a documentation comment that is not a sentence: "Of the tokens from first to last."
const std::set<std::string, std::less<>> fragment_starts{"Of",  "What", "Which", "Who",   "Where", "How",    "From",
                                                         "For", "As",   "By",    "With",  "To",    "So",     "And",
                                                         "Or",  "But",  "In",    "Until", "Those", "Without"};

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_letter(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && is_letter(text[end])) ++end;
    words.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

/// Explains what is wrong with a line; empty if nothing is.
std::string problem_in(const std::string& line) {
  const std::string small = lower(line);
  for (const std::string& word : words_of(line)) {
    if (word != "He" && refused_words.contains(lower(word))) return "the word '" + word + "'";  // He is helium
  }
  for (const std::string_view phrase : refused_phrases) {
    if (small.find(phrase) != std::string::npos) return "the words '" + std::string(phrase) + "'";
  }
  return "";
}

/// Explains why a documentation comment is a fragment, given its first line and the line before it; empty if it is not.
std::string fragment_in(const std::string& line, const std::string& before) {
  const auto comment_at = [](const std::string& text) { return text.find("/// ") != std::string::npos; };
  const std::size_t at = line.find_first_not_of(' ');
  if (at == std::string::npos || line.compare(at, 4, "/// ") != 0 || comment_at(before)) return "";
  const std::vector<std::string> words = words_of(std::string_view(line).substr(at + 4));
  if (words.empty()) return "";
  const bool is_same = words.size() > 1 && words[0] == "The" && words[1] == "same";
  if (!is_same && !fragment_starts.contains(words[0])) return "";
  return "a documentation comment that starts with '" + words[0] +
         "': write a sentence, \"Returns ...\", or name the thing";
}

bool is_text(const fs::path& file) {
  static const std::set<std::string> endings{".cpp", ".hpp", ".cu",    ".cuh", ".h",  ".md",       ".inc",
                                             ".def", ".sh",  ".cmake", ".txt", ".in", ".expected", ".map"};
  return endings.contains(file.extension().string()) || file.extension().empty();
}

/// Returns "FILE:LINE: PROBLEM" for every problem in a file.
std::vector<std::string> problems_in(const fs::path& file, const std::string& name) {
  std::vector<std::string> all;
  std::ifstream in(file);
  bool in_glossary = false;
  std::string line, before;
  for (int number = 1; std::getline(in, line); ++number) {
    if (line.starts_with("## Glossary"))
      in_glossary = true;
    else if (line.starts_with("## "))
      in_glossary = false;
    for (const std::string& problem : {problem_in(line), fragment_in(line, before)}) {
      if (!problem.empty() && !in_glossary) all.push_back(name + ":" + std::to_string(number) + ": " + problem);
    }
    before = line;
  }
  return all;
}

std::vector<std::string> problems_in_tree() {
  std::vector<std::string> all;
  const auto add = [&](const fs::path& file) {
    const std::string name = fs::relative(file, sources).generic_string();
    if (name == this_file || !is_text(file)) return;
    const auto found = problems_in(file, name);
    all.insert(all.end(), found.begin(), found.end());
  };
  for (const char* file : {"README.md", "CONTRIBUTING.md", "CMakeLists.txt", "rafter"}) add(sources / file);
  for (const char* top : {".ci", "cmake", "include", "src", "kernels", "tests", "docs", "examples", "benchmarks"}) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(sources / top)) {
      if (entry.is_regular_file()) add(entry.path());
    }
  }
  return all;
}

TEST(English, HasNoRefusedWordsAndNoFragments) {
  for (const std::string& problem : problems_in_tree()) ADD_FAILURE() << problem;
}

TEST(English, RefusedWordsAreFound) {
  for (const char* line : {"// Nobody has written it.", "/// The twin of an instruction.", "a room of its own",
                           "results are held against the reference", "enum class Parties {}; // Parties", "he knows"})
    EXPECT_NE(problem_in(line), "") << line;
  for (const char* line : {"// The header is here.", "the mushroom", "this", "withstands", "a threshold"})
    EXPECT_EQ(problem_in(line), "") << line;
}

TEST(English, FragmentsAreFound) {
  EXPECT_NE(fragment_in("  /// Of the tokens from first to last.", ""), "");
  EXPECT_NE(fragment_in("/// The same, in double.", ""), "");
  EXPECT_EQ(fragment_in("/// The tokens in [first, last).", ""), "");
  EXPECT_EQ(fragment_in("/// For large sizes it is split.", "/// Returns the sum."), "") << "a sentence goes on";
}

}  // namespace
}  // namespace rafter::architecture
