// The work log on a terminal, in Markdown, as CSV and JSON.
#include "workbench/journal/log.hpp"

#include <gtest/gtest.h>

#include "made_journal.hpp"
#include "workbench/journal/show.hpp"

namespace rafter::journal {
namespace {

/// A journal with two steps, a wrong one between them, a note and a stop.
struct Example : MadeJournal {
  Example() : MadeJournal("4x") {
    journal.add(step("Where it *begins* | here", {result("plain", 1000)}));
    Entry wrong = step("Vectors", {result("simd", 0)});
    wrong.verdict = Verdict::wrong;
    journal.add(wrong);
    Entry last = step("Vectors, with their tail", {result("simd", 250), result("library", 500, 1024, "peer")});
    last.prediction = "3x";
    last.answers.follows = "One core is not enough.";
    journal.add(last);
    journal.add({.kind = Kind::note, .message = "A thought.", .answers = {.next = "Threads"}, .about = 4});
  }
};

TEST(Log, HasATableOfSteps) {
  const Example made;
  const std::string text = overview_text(made.journal, steps_of(made.journal));
  EXPECT_TRUE(has(text, "     1   1.00 us                                1.00x    10%  Where it *begins* | here\n"))
      << text;
  EXPECT_TRUE(has(text, "  WRONG: Vectors\n")) << text;
  EXPECT_TRUE(has(text, "     3    250 ns    4.00x        3x    4.00x    4.00x    40%  Vectors, with their tail\n"))
      << text;
  EXPECT_TRUE(has(text, "target 4x: reached with step 3; 4.00x in all (step 3, 250 ns)")) << text;
}

TEST(Log, AnswersItsQuestions) {
  const Example made;
  const Steps steps = steps_of(made.journal);
  const Answers answers = answers_of(made.journal, steps.all[2]);
  EXPECT_EQ(answers.structure, "simd: An idea.");
  EXPECT_EQ(answers.measured, "Other than simd: peer library 500 ns.");
  EXPECT_EQ(answers.follows, "One core is not enough.");
  EXPECT_EQ(answers.limit, "The floor is 100 ns, which memory sets; this is 40 % of it.");
  EXPECT_EQ(answers.next, "Threads") << "from a note";
  EXPECT_TRUE(open_questions(answers).empty());
  EXPECT_EQ(answers_of(made.journal, steps.all[1]).limit, "simd is WRONG: element 3 is <nan>");
  EXPECT_EQ(prediction_text(steps.all[2]), "predicted 3x, measured 4.00x");
}

TEST(Log, ListsOpenQuestions) {
  const Example made;
  const Steps steps = steps_of(made.journal);
  EXPECT_EQ(added_text(made.journal, steps, steps.all[0]),
            "Journal: step 1, plain 1.00 us; target 4x: reached with step 3; 4.00x in all (step 3, 250 ns)\n"
            "         open questions: rafter journal note 1 --measured --follows --next\n");
}

TEST(Log, EscapesMarkupOfTheUser) {
  Example made;
  made.journal.add({.kind = Kind::stop, .message = "Enough."});
  const std::string text = markdown(made.journal, steps_of(made.journal));
  for (const char* part :
       {"# Sums\n", "| 1 | 1.00 us |  |  |  | 1.00x | 10% | Where it \\*begins\\* \\| here |\n", "## Step 2: Vectors\n",
        "`rafter run sum`: **wrong**", "simd | WRONG: element 3 is \\<nan\\> |",
        "Prediction: predicted 3x, measured 4.00x.", "**What to try next?** Threads", "*Note of ", "A thought.",
        "## Why it ended\n\nEnough.\n\nsimd takes 250 ns, 40 % of the floor of 100 ns (memory): at most 2.50x "
        "remains."})
    EXPECT_TRUE(has(text, part)) << part << "\n" << text;
}

TEST(Log, FencesAChangeThatHasFences) {
  const lab::TemporaryFolder work;
  base::write_file(work.path() / "my.md", "a\n");
  Journal journal = Journal::start(work.path(), {.kind = Kind::start}, {work.path() / "my.md"});
  base::write_file(work.path() / "my.md", "```\n");
  journal.add(step("", {result("x", 1)}));
  const std::string text = markdown(journal, steps_of(journal));
  EXPECT_TRUE(has(text, "1 lines added, 1 removed")) << text;
  EXPECT_TRUE(has(text, "\n````diff\n--- my.md")) << text;
}

TEST(Log, HasALineForEachStepAsCsvAndJson) {
  const Example made;
  const Steps steps = steps_of(made.journal);
  const std::string csv = steps_csv(steps);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 4) << csv;
  EXPECT_TRUE(has(csv, ",simd,250,4,4,4,100,memory,3x,\"Vectors, with their tail\",\n")) << csv;
  const nlohmann::json json = steps_json(made.journal, steps);
  EXPECT_EQ(json["steps"].size(), 3u);
  EXPECT_EQ(json["steps"][2]["step"]["x_first"], 4);
  EXPECT_TRUE(json["active"]);
}

}  // namespace
}  // namespace rafter::journal
