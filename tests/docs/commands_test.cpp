// Every command line of the documentation names a command of the tool, and options that its --help lists.
#include <algorithm>
#include <cctype>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "cli/cli.hpp"
#include "docs/markdown.hpp"

namespace rafter::docs {
namespace {

/// Splits a line as a shell does, up to the first comment. `;`, `|`, `&` and `>` are words of their own.
std::vector<std::string> shell_words(const std::string& line) {
  std::vector<std::string> words;
  std::string word;
  bool has_word = false;
  char quote = 0;
  const auto finish = [&] {
    if (has_word) words.push_back(word);
    word.clear();
    has_word = false;
  };
  for (const char c : line) {
    if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '\'' || c == '"') {
      quote = c;
      has_word = true;
    } else if (c == ' ' || c == '\t') {
      finish();
    } else if (c == '#' && !has_word) {
      break;
    } else if (std::string_view(";|&>()").find(c) != std::string_view::npos) {
      finish();
      words.emplace_back(1, c);
    } else {
      word += c;
      has_word = true;
    }
  }
  finish();
  return words;
}

/// Returns the calls of the tool in a command line, each without the tool's own name.
std::vector<std::vector<std::string>> calls_in(const std::string& line) {
  std::vector<std::vector<std::string>> calls;
  bool is_start = true, is_call = false;
  for (const std::string& word : shell_words(line)) {
    if (word.size() == 1 && std::string_view(";|&>()").find(word[0]) != std::string_view::npos) {
      is_start = word != ">";
      is_call = false;
    } else if (is_call) {
      calls.back().push_back(word);
    } else if (is_start && (word == "rafter" || word == "./rafter")) {
      calls.emplace_back();
      is_call = true;
    } else {
      is_start = is_start && word.find('=') != std::string::npos;  // a variable of the call
    }
  }
  return calls;
}

bool is_command_name(const std::string& word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::islower(c) != 0; });
}

class DocumentedCommands : public cli::Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    const cli::Outcome listed = rafter("list --json");
    ASSERT_EQ(listed.code, 0) << listed.err;
    for (const nlohmann::json& workload : nlohmann::json::parse(listed.out)) {
      for (const nlohmann::json& parameter : workload.at("parameters"))
        parameters_.insert("--" + parameter.at("name").get<std::string>());
    }
  }

  /// Returns the options that the help of a command lists; empty if there is no such command.
  const std::set<std::string>& options_of(const std::string& command) {
    const auto known = options_.find(command);
    if (known != options_.end()) return known->second;
    std::set<std::string>& options = options_[command];
    const cli::Outcome help = rafter(command + " --help");
    if (help.code != 0 || help.out == rafter("--help").out) return options;  // which an unknown command prints
    for (std::size_t at = help.out.find("--"); at != std::string::npos; at = help.out.find("--", at)) {
      const std::size_t end =
          std::min(help.out.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-", at), help.out.size());
      options.insert(help.out.substr(at, end - at));
      at = end;
    }
    return options;
  }

  /// Explains what is wrong with a call; empty if nothing is.
  std::string problem_of(const std::vector<std::string>& words) {
    if (words.empty() || !is_command_name(words[0])) return "";  // a global option, or COMMAND
    static const std::set<std::string> of_the_launcher{"test", "build", "packages"};
    static const std::set<std::string> without_page{"help", "completion", "man", "nvcc"};
    if (of_the_launcher.contains(words[0]) || without_page.contains(words[0])) return "";
    std::string command = words[0];
    static const std::set<std::string> with_subcommands{"journal", "new", "solve"};
    if (with_subcommands.contains(command) && words.size() > 1 && is_command_name(words[1])) command += " " + words[1];
    std::set<std::string> options = options_of(command);
    if (std::find(words.begin(), words.end(), "--builds") != words.end()) options.merge(std::set(options_of("run")));
    if (options.empty()) return "there is no command '" + command + "'";
    for (const std::string& word : words) {
      if (word == "--") break;
      const std::string option = word.substr(0, word.find('='));
      const bool is_option =
          option.size() > 2 && option.starts_with("--") && std::islower(static_cast<unsigned char>(option[2])) != 0;
      if (is_option && !options.contains(option) && !parameters_.contains(option))
        return "'" + command + "' has no option " + option;
    }
    return "";
  }

 private:
  std::map<std::string, std::set<std::string>> options_;
  std::set<std::string> parameters_;  ///< of all workloads: --n, --rows, ...
};

/// Returns the command lines of a block, with continued lines joined.
std::vector<std::pair<int, std::string>> command_lines(const CodeBlock& block) {
  std::vector<std::pair<int, std::string>> lines;
  bool goes_on = false;
  int number = block.line;
  for (std::string line : block.lines) {
    ++number;
    line.erase(0, std::min(line.find_first_not_of(' '), line.size()));
    if (line.starts_with("$ ")) line.erase(0, 2);
    const bool continues = line.ends_with('\\');
    if (continues) line.pop_back();
    if (goes_on)
      lines.back().second += " " + line;
    else
      lines.emplace_back(number, line);
    goes_on = continues;
  }
  return lines;
}

TEST_F(DocumentedCommands, ExistWithTheirOptions) {
  int n_calls = 0;
  const auto check = [&](const Page& page, int line, const std::string& text) {
    for (const std::vector<std::string>& call : calls_in(text)) {
      ++n_calls;
      EXPECT_EQ(problem_of(call), "") << page.path.string() << ":" << line << ": " << text;
    }
  };
  for (const Page& page : pages_of(RAFTER_SOURCE_DIR)) {
    for (const CodeSpan& span : page.spans) check(page, span.line, span.text);
    for (const CodeBlock& block : page.blocks) {
      if (!block.info.empty() && block.info != "sh" && block.info != "console") continue;
      for (const auto& [line, text] : command_lines(block)) {
        if (!text.starts_with("rafter  ")) check(page, line, text);  // a list of files
      }
    }
  }
  EXPECT_GT(n_calls, 200);
}

TEST_F(DocumentedCommands, WrongOnesAreFound) {
  const auto problem = [&](const std::string& line) {
    std::string all;
    for (const auto& call : calls_in(line)) all += problem_of(call);
    return all;
  };
  EXPECT_EQ(problem("X=1 ./rafter run sum --n 2^20 --json a.json && rafter report a.json --out a.html"), "");
  EXPECT_EQ(problem("rafter exec program.cu -- --size-of-the-program 3"), "");
  EXPECT_NE(problem("./rafter run sum --no-such-option"), "");
  EXPECT_NE(problem("cat x | rafter no_command || rafter nocommand"), "");
  EXPECT_NE(problem("rafter solve heat --grid 8 --gird 8"), "");
  EXPECT_EQ(problem("echo rafter nocommand"), "");
}

}  // namespace
}  // namespace rafter::docs
