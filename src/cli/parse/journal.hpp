// The subcommands of `journal`, and the options of commands that add entries. Only for parse.cpp.
#pragma once

#include <CLI/CLI.hpp>

#include "cli/options.hpp"
#include "cli/parse/values.hpp"

namespace rafter::cli {

/// Adds the options of commands that add an entry to an active journal.
inline void add_journal_words(CLI::App& sub, journal::Words& words) {
  constexpr const char* group = "In a journal";
  sub.add_option("--message", words.message, "Or -m: a sentence for the journal: what you changed, and why")
      ->group(group);
  sub.add_option("--predict", words.prediction, "What you expect: 1.3x over the last step, or a time: 36ms")
      ->group(group);
}

inline CLI::App* journal_app(CLI::App& app) {
  for (CLI::App* known : app.get_subcommands([](CLI::App* one) { return one->get_name() == "journal"; })) return known;
  CLI::App* sub = app.add_subcommand("journal", "A log of an optimisation, kept as it happens");
  sub->require_subcommand(0, 1);
  sub->footer(R"(
Use:
  rafter journal start --target 5x --source my.cu     here, and in the folders below
  rafter run sum --rungs plain -m "Where it begins"   a step, as try, bench, tune, explain are
  rafter journal show                                 the gain of each step, and missing answers
  rafter journal note --next "Two rows per thread"    answers that only you can give
  rafter journal stop -m "Within 10 % of the floor"
  rafter journal export log.md                        or log.html: the work log)");
  return sub;
}

inline void add_journal_folder(CLI::App& sub, std::string& folder) {
  sub.add_option("--journal", folder, "A folder in its tree (default: this one)")->type_name("DIR");
}

inline void add_journal_answers(CLI::App& sub, JournalAnswers& answers) {
  sub.add_option("--structure", answers.structure, "How the code is structured now");
  sub.add_option("--measured", answers.measured, "What else was measured");
  sub.add_option("--follows", answers.follows, "What follows from that");
  sub.add_option("--limit", answers.limit, "What is believed to limit it");
  sub.add_option("--next", answers.next, "What to try next");
}

inline CLI::App* add_journal_start(CLI::App& app, JournalStartOptions& o) {
  CLI::App* sub = journal_app(app)->add_subcommand("start", "Start a journal, or continue one that was stopped");
  sub->add_option("folder", o.folder, "Where the work is (default: this folder)")->type_name("DIR");
  sub->add_option("--target", o.target, "What to reach: 5x over the first step, or a time: 36ms");
  sub->add_option("--source", o.sources, "Files whose changes are kept, in addition to those of the commands")
      ->type_name("FILE");
  sub->add_option("--title", o.title, "What it is about (default: the folder's name)");
  sub->footer(R"(
Entries are files in DIR/rafter-journal: text that you can read, copy and keep under version control.
RAFTER_JOURNAL=off: a command adds no entry. RAFTER_JOURNAL=quiet: no questions are asked.)");
  return sub;
}

inline CLI::App* add_journal_show(CLI::App& app, JournalShowOptions& o) {
  CLI::App* sub =
      journal_app(app)->add_subcommand("show", "The table of its steps, or one with its change of the source");
  sub->add_option("step", o.step, "The number of a step (default: the table)")->check(from_one());
  add_journal_folder(*sub, o.folder);
  add_formats(*sub, o.formats, "The table as CSV");
  return sub;
}

inline CLI::App* add_journal_export(CLI::App& app, JournalExportOptions& o) {
  CLI::App* sub = journal_app(app)->add_subcommand("export", "The work log: as Markdown, or as a page");
  sub->add_option("out", o.out, "FILE.md or FILE.html ('-': Markdown on the standard output)")->required();
  add_journal_folder(*sub, o.folder);
  return sub;
}

inline CLI::App* add_journal_note(CLI::App& app, JournalNoteOptions& o) {
  CLI::App* sub = journal_app(app)->add_subcommand("note", "Add a note to a step");
  sub->add_option("step", o.step, "Its number (default: the last one)")->check(from_one());
  sub->add_option("--message", o.message, "Or -m: a sentence");
  add_journal_answers(*sub, o.answers);
  add_journal_folder(*sub, o.folder);
  return sub;
}

inline CLI::App* add_journal_stop(CLI::App& app, JournalStopOptions& o) {
  CLI::App* sub = journal_app(app)->add_subcommand("stop", "Stop the journal, and say why");
  sub->alias("end");
  sub->add_option("--message", o.message, "Or -m: why; the distance to the floor and to the target is added");
  add_journal_folder(*sub, o.folder);
  return sub;
}

inline CLI::App* add_journal_add(CLI::App& app, JournalAddOptions& o) {
  CLI::App* sub = journal_app(app)->add_subcommand("add", "Add a step from a results file that was measured elsewhere");
  sub->add_option("--results,results", o.results, "The file that 'rafter run --json' wrote");
  sub->add_option("--source", o.sources, "Files whose changes are kept, too")
      ->type_name("FILE")
      ->allow_extra_args(false);
  sub->add_option("--rung", o.rung, "The rung of this step (default: the fastest)");
  sub->add_option("--command", o.command, "The command that was typed there");
  sub->add_option("--verdict", o.verdict, "right, wrong or 'could not run' (default: that of the results)");
  sub->add_option("--said", o.said, "The first sentence of a profile");
  add_journal_words(*sub, o.words);
  add_journal_answers(*sub, o.answers);
  add_journal_folder(*sub, o.folder);
  sub->add_option("--text", o.texts, "")
      ->group("")
      ->expected(3)
      ->allow_extra_args(false);  // see workbench/journal/record.cpp
  sub->add_flag("--unasked", o.is_unasked, "")->group("");
  return sub;
}

}  // namespace rafter::cli
