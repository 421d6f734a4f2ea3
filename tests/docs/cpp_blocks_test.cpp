// C++ in the documentation. A block marked ```cpp complete is compiled; of others, every header of Rafter that they
// include exists, and so does every name rafter::NAME that they use.
#include <gtest/gtest.h>

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "docs/markdown.hpp"

namespace rafter::docs {
namespace {

namespace fs = std::filesystem;

const fs::path sources = RAFTER_SOURCE_DIR;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

void add_words(std::set<std::string>& words, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_word(text[end])) ++end;
    if (end > at) words.insert(text.substr(at, end - at));
    at = end + 1;
  }
}

/// Returns all words of the public headers.
std::set<std::string> public_words() {
  std::set<std::string> words;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(sources / "include")) {
    if (!entry.is_regular_file()) continue;
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    add_words(words, text.str());
  }
  words.insert("version");  // version.hpp is generated
  return words;
}

/// Explains what is wrong with a line of C++; empty if nothing is.
std::string problem_in(const std::string& line, const std::set<std::string>& words) {
  for (const auto& [open, close] : {std::pair{"#include \"", '"'}, {"#include <rafter/", '>'}}) {
    const std::size_t at = line.find(open);
    if (at == std::string::npos) continue;
    const std::size_t begin = line.find_first_of("\"<", at) + 1;
    const std::string name = line.substr(begin, line.find(close, begin) - begin);
    bool exists = name == "rafter/version.hpp";
    for (const char* folder : {"include", "src", "kernels"}) exists = exists || fs::exists(sources / folder / name);
    if (!exists) return "there is no header " + name;
  }
  for (std::size_t at = line.find("rafter::"); at != std::string::npos; at = line.find("rafter::", at + 1)) {
    if (at > 0 && (is_word(line[at - 1]) || line[at - 1] == ':')) continue;
    if (line.find("namespace rafter::") != std::string::npos) continue;  // of a rung
    std::size_t end = at + 8;
    while (end < line.size() && is_word(line[end])) ++end;
    const std::string name = line.substr(at + 8, end - at - 8);
    if (!words.contains(name)) return "no public header has the name rafter::" + name;
  }
  return "";
}

/// Compiles a block without generating code and returns the compiler's messages.
std::string compile(const CodeBlock& block, const fs::path& folder) {
  const fs::path file = folder / "block.cpp";
  std::ofstream out(file);
  for (const std::string& line : block.lines) out << line << "\n";
  out.close();
  const std::string command = std::string(RAFTER_CXX) + " -std=c++20 -Wall -Wextra -fsyntax-only -I" +
                              (sources / "include").string() + " -I" RAFTER_GENERATED_INCLUDES " " + file.string() +
                              " >" + (folder / "messages").string() + " 2>&1";
  const int status = std::system(command.c_str());
  std::ostringstream messages;
  messages << std::ifstream(folder / "messages").rdbuf();
  return status == 0 ? messages.str() : messages.str() + "the compiler failed";
}

class CppBlocks : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "rafter-docs-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path folder_;
};

TEST_F(CppBlocks, CompileOrNameWhatExists) {
  const std::set<std::string> words = public_words();
  int n_complete = 0;
  for (const Page& page : pages_of(sources)) {
    for (const CodeBlock& block : page.blocks) {
      if (!block.info.starts_with("cpp")) continue;
      int number = block.line;
      for (const std::string& line : block.lines) {
        EXPECT_EQ(problem_in(line, words), "") << page.path.string() << ":" << ++number << ": " << line;
      }
      if (block.info != "cpp complete") continue;
      ++n_complete;
      EXPECT_EQ(compile(block, folder_), "") << page.path.string() << ":" << block.line;
    }
  }
  EXPECT_GT(n_complete, 0);
}

TEST_F(CppBlocks, WrongOnesAreFound) {
  const std::set<std::string> words = public_words();
  EXPECT_NE(problem_in("#include <rafter/no_such_header.hpp>", words), "");
  EXPECT_NE(problem_in("#include \"sum/no_such_header.hpp\"", words), "");
  EXPECT_NE(problem_in("rafter::no_such_name(stream);", words), "");
  EXPECT_EQ(problem_in("rafter::sum(rafter::Stream::cpu(), in, out);", words), "");
  EXPECT_NE(compile({1, "cpp complete", {"#include <rafter/sum.hpp>", "int main() { rafter::sum(1); }"}}, folder_), "");
}

}  // namespace
}  // namespace rafter::docs
