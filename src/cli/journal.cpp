// rafter-journal: the log of an optimisation.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string_view>

#include "base/json_file.hpp"
#include "base/outputs.hpp"
#include "base/terminal.hpp"
#include "cli/tool.hpp"
#include "workbench/journal/show.hpp"

namespace rafter::cli {

namespace {

using journal::Entry;
using journal::Journal;
using journal::Kind;

journal::Answers answers_of(const JournalAnswers& a) { return {a.structure, a.measured, a.follows, a.limit, a.next}; }

/// Reports the entries that cannot be read.
void report_damage(const Journal& journal) {
  for (const std::string& sentence : journal.damaged()) fmt::print(stderr, "rafter: {}; it is left out\n", sentence);
}

void require_active(const Journal& journal) {
  if (journal.is_active()) return;
  throw Error(ErrorCode::bad_argument,
              fmt::format("the journal in '{}' was ended; 'rafter journal start {}' goes on with it",
                          journal.folder().string(), journal.folder().parent_path().string()));
}

void require_quantity(const char* option, const std::string& text) {
  if (!text.empty()) journal::parse_quantity(option, text);
}

/// Returns the entry of a step, or of the last step for 0; 0 if there is no step yet.
int entry_of_step(const journal::Steps& steps, int number) {
  if (number == 0) return steps.all.empty() ? 0 : steps.all.back().entry->number;
  if (const journal::Step* step = steps.step(number)) return step->entry->number;
  throw Error(
      ErrorCode::bad_argument,
      fmt::format("there is no step {}; {}", number,
                  steps.all.empty() ? "there are none yet" : fmt::format("the last one is {}", steps.all.size())));
}

/// Joins lines: commands pass texts that are wrapped for a terminal.
std::string one_line(const std::string& text) {
  std::istringstream words(text);
  std::string line;
  for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
  return line;
}

Entry entry_from(const JournalAddOptions& options) {
  Entry entry{.command = options.command,
              .verdict = journal::verdict_called(options.verdict),
              .message = options.words.message,
              .prediction = options.words.prediction,
              .said = one_line(options.said),
              .rung = options.rung,
              .answers = answers_of(options.answers)};
  if (options.results.empty()) return entry;
  const nlohmann::json document = base::read_json(options.results);
  try {
    entry.results = journal::kept_results(document);
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("{}: {}", options.results, error.what()));
  }
  entry.machine = journal::machine_of(document);
  entry.is_busy = journal::was_busy(document);
  if (entry.verdict == journal::Verdict::none) entry.verdict = journal::verdict_of(entry.results);
  return entry;
}

// ---- questions at the terminal; scripts are never asked ----

/// Whether a person is at the terminal and RAFTER_JOURNAL is not "quiet".
bool may_ask() {
  const char* word = std::getenv("RAFTER_JOURNAL");
  const bool is_quiet = word != nullptr && std::string_view(word) == "quiet";
  return !is_quiet && isatty(STDIN_FILENO) != 0 && isatty(STDERR_FILENO) != 0;
}

/// Prints a question and returns the line that is typed.
std::string ask_for(const std::string& question) {
  std::fprintf(stderr, "%s ", question.c_str());
  std::fflush(stderr);
  std::string line;
  if (!std::getline(std::cin, line)) std::fputs("\n", stderr);
  return line;
}

/// Asks for a message, if `for_message`, and for every answer that `known` lacks, and adds them to the note. An empty
/// line skips a question; as the first answer it skips all. Returns whether anything was answered.
bool ask(journal::Entry& note, const journal::Answers& known, bool for_message = true) {
  bool any = false;
  if (for_message) {
    note.message = ask_for("What did you change, and why? (Enter: skip)");
    any = !note.message.empty();
    if (!any) return false;
  }
  for (const journal::Question& question : journal::questions) {
    if (!(known.*question.answer).empty()) continue;
    std::string& answer = note.answers.*question.answer;
    answer = ask_for(question.words);
    if (answer.empty() && !any) return false;
    any = any || !answer.empty();
    if (!std::cin) break;
  }
  return any;
}

// ---- commands ----

std::vector<journal::Watched> sources_of(const JournalAddOptions& options) {
  std::vector<journal::Watched> sources;
  for (const std::string& file : options.sources) sources.push_back({.file = file});
  for (std::size_t i = 0; i + 2 < options.texts.size(); i += 3)
    sources.push_back({options.texts[i], options.texts[i + 1], options.texts[i + 2]});
  return sources;
}

int journal_start(const JournalStartOptions& options) {
  require_quantity("--target", options.target);
  const std::vector<std::filesystem::path> sources(options.sources.begin(), options.sources.end());
  const Journal journal =
      Journal::start(options.folder, {.kind = Kind::start, .title = options.title, .target = options.target}, sources);
  fmt::print("Journal: {}\n{}", journal.folder().string(),
             base::wrapped("each run, try, bench, explain and tune in this folder and below it is a step from now on; "
                           "-m says what you changed, --predict what you expect",
                           "         ", "         "));
  return exit_good;
}

int journal_show(const JournalShowOptions& options) {
  options.formats.require();
  const Journal journal = journal::open_journal(options.folder);
  report_damage(journal);
  const journal::Steps steps = steps_of(journal);
  if (options.step > 0) {
    const journal::Step& step = *steps.step_of(entry_of_step(steps, options.step));
    base::OutputFile(options.formats.json).write(to_json(*step.entry).dump(2));
    if (!options.formats.csv.empty())
      throw Error(ErrorCode::bad_argument, "--csv is for the table of all steps; one step is text or --json");
    if (!options.formats.take_stdout()) fmt::print("{}", step_text(journal, step));
  } else {
    base::OutputFile(options.formats.json).write(steps_json(journal, steps).dump(2));
    base::OutputFile(options.formats.csv).write(steps_csv(steps));
    if (!options.formats.take_stdout()) fmt::print("{}", overview_text(journal, steps));
  }
  return journal.damaged().empty() ? exit_good : exit_no;
}

int journal_export(const JournalExportOptions& options) {
  const base::OutputFile out(options.out);
  if (!out.is_stdout() && !options.out.ends_with(".md") && !options.out.ends_with(".markdown"))
    throw Error(ErrorCode::bad_argument, fmt::format("a log is FILE.md or FILE.html, and not '{}'", options.out));
  base::require_outputs({out.file()}, {});
  const Journal journal = journal::open_journal(options.folder);
  report_damage(journal);
  out.write(markdown(journal, steps_of(journal)));
  if (!out.is_stdout()) fmt::print("Log:     {}\n", options.out);
  return journal.damaged().empty() ? exit_good : exit_no;
}

int journal_note(const JournalNoteOptions& options) {
  Journal journal = journal::open_journal(options.folder);
  const int about = entry_of_step(steps_of(journal), options.step);
  Entry note{.kind = Kind::note, .message = options.message, .answers = answers_of(options.answers), .about = about};
  if (note.message.empty() && open_questions(note.answers).size() == std::size(journal::questions)) {
    if (!may_ask())
      throw Error(ErrorCode::bad_argument, "the note is empty: -m \"...\", --follows, --limit, --next, ...");
    ask(note, note.answers);
  }
  journal.add(std::move(note));
  const journal::Steps steps = steps_of(journal);
  fmt::print("Journal: a note{}\n", about > 0 ? fmt::format(" about step {}", steps.step_of(about)->number) : "");
  return exit_good;
}

int journal_stop(const JournalStopOptions& options) {
  Journal journal = journal::open_journal(options.folder);
  if (!journal.is_active())
    throw Error(ErrorCode::bad_argument,
                fmt::format("the journal in '{}' was ended before", journal.folder().string()));
  Entry stop{.kind = Kind::stop, .message = options.message};
  if (stop.message.empty() && may_ask()) stop.message = ask_for("Why does the journal end?");
  journal.add(std::move(stop));
  fmt::print("{}", overview_text(journal, steps_of(journal)));
  return exit_good;
}

int journal_add(const JournalAddOptions& options) {
  Journal journal = journal::open_journal(options.folder);
  if (options.is_unasked && !journal.is_active()) return exit_good;
  try {
    require_active(journal);
    require_quantity("--predict", options.words.prediction);
    const int number = journal.add(entry_from(options), sources_of(options)).number;
    Entry note{.kind = Kind::note, .about = number};
    const journal::Steps steps = steps_of(journal);
    const journal::Step& step = *steps.step_of(number);
    fmt::print("{}", added_text(journal, steps, step));
    std::fflush(stdout);
    if (may_ask() && ask(note, answers_of(journal, step), step.message.empty())) journal.add(std::move(note));
    return exit_good;
  } catch (const Error& error) {
    throw Error(error.code(),
                fmt::format("the journal in '{}' has no entry of this: {}", journal.folder().string(), error.what()));
  }
}

}  // namespace

}  // namespace rafter::cli

int main(int argc, char** argv) {
  using namespace rafter::cli;
  return tool(argc, argv,
              Performer{
                  [](const JournalStartOptions& options) { return journal_start(options); },
                  [](const JournalShowOptions& options) { return journal_show(options); },
                  [](const JournalExportOptions& options) { return journal_export(options); },
                  [](const JournalNoteOptions& options) { return journal_note(options); },
                  [](const JournalStopOptions& options) { return journal_stop(options); },
                  [](const JournalAddOptions& options) { return journal_add(options); },
              });
}
