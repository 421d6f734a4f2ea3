#include "workbench/journal/record.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string_view>

#include "base/files.hpp"
#include "base/process.hpp"
#include "workbench/journal/quantity.hpp"

namespace rafter::journal {

namespace {

namespace fs = std::filesystem;

bool is_off() {
  const char* word = std::getenv("RAFTER_JOURNAL");
  return word != nullptr && std::string_view(word) == "off";
}

std::optional<fs::path> journal_of(const Event& event) {
  if (is_off()) return std::nullopt;
  if (auto found = find_journal(".")) return found;
  return event.sources.empty() ? std::nullopt : find_journal(event.sources.front().parent_path() / ".");
}

/// Returns the command line of this process as it could be typed, without the journal's own options.
std::string typed_command() {
  const std::string words = base::read_file("/proc/self/cmdline").value_or("");
  base::Command command;
  bool is_first = true, is_value = false;
  for (std::size_t at = 0; at < words.size(); at = words.find('\0', at) + 1) {
    const std::string word = words.c_str() + at;
    const bool is_own = word == "-m" || word == "--message" || word == "--predict";
    const bool has_value = word.starts_with("--message=") || word.starts_with("--predict=");
    if (!is_first && !is_own && !is_value && !has_value) command.push_back(word);
    is_first = false;
    is_value = is_own;
    if (words.find('\0', at) == std::string::npos) break;
  }
  return base::shell_quoted(command);
}

base::Command command_for(const Event& event, const fs::path& journal, const fs::path& scratch) {
  const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
  base::Command command{(here / "rafter-journal").string(), "journal", "add", "--unasked",
                        "--journal=" + journal.string()};
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) command.push_back(std::string("--") + option + "=" + value);
  };
  add("command", typed_command());
  for (const fs::path& source : event.sources) add("source", source.string());
  for (std::size_t i = 0; i < event.texts.size(); ++i) {
    const fs::path file = scratch / ("text" + std::to_string(i));
    base::write_file(file, event.texts[i].text);
    command.insert(command.end(), {"--text", event.texts[i].name, event.texts[i].file, file.string()});
  }
  fs::path results = event.results_path;
  if (results.empty() && !event.results.empty()) base::write_file(results = scratch / "results.json", event.results);
  add("results", results.string());
  add("rung", event.rung);
  add("verdict", event.verdict);
  add("said", event.said);
  add("measured", event.measured);
  add("next", event.next);
  add("message", event.words.message);
  add("predict", event.words.prediction);
  return command;
}

}  // namespace

std::vector<fs::path> sources_in(const std::vector<std::string>& words) {
  std::vector<fs::path> sources;
  for (const fs::path word : words) {
    const std::string ending = word.extension().string();
    const bool is_source = ending == ".cu" || ending == ".cuh" || ending == ".cpp" || ending == ".cc" || ending == ".h";
    std::error_code error;
    if (is_source && fs::is_regular_file(word, error)) sources.push_back(word);
  }
  return sources;
}

void require_words(const Words& words) {
  if (!words.prediction.empty()) parse_quantity("--predict", words.prediction);
}

bool is_wanted(const Event& event) { return journal_of(event).has_value(); }

void record(const Event& event) noexcept {
  try {
    const auto journal = journal_of(event);
    if (!journal) return;
    std::fflush(nullptr);
    const base::ScratchFolder scratch;
    const base::Command command = command_for(event, *journal, scratch.path());
    std::error_code error;
    if (!fs::exists(command.front(), error)) {
      std::fprintf(
          stderr,
          "rafter: no entry was added to the journal %s: rafter-journal is missing; './rafter build rafter-journal'\n",
          journal->c_str());
      return;
    }
    // The program may ask questions, so it inherits the terminal, and it reports its own errors. The kernels that a
    // bench preloads must not be loaded into it.
    base::run_process({.command = command,
                       .variables = {{"LD_PRELOAD", ""}},
                       .streams = base::Streams::inherited_stderr,
                       .session = base::Session::inherited});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "rafter: no entry was added to the journal: %s\n", error.what());
  }
}

namespace {

bool is_journal(const fs::path& folder) {
  std::error_code error;
  return fs::exists(folder / "0001.json", error);
}

}  // namespace

std::optional<fs::path> find_journal(const fs::path& from) {
  std::error_code error;
  fs::path folder = fs::weakly_canonical(from, error);
  if (error || folder.empty()) return std::nullopt;
  for (;; folder = folder.parent_path()) {
    if (folder.filename() == folder_name && is_journal(folder)) return folder;
    if (is_journal(folder / folder_name)) return folder / folder_name;
    if (folder == folder.parent_path()) return std::nullopt;
  }
}

}  // namespace rafter::journal
