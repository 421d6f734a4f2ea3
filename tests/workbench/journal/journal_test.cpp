// A journal on disk: existing entries survive every failure.
#include "workbench/journal/journal.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <set>

#include "../../apps/solve/full_disk.hpp"
#include "made_journal.hpp"
#include "rafter/error.hpp"
#include "workbench/journal/record.hpp"

namespace rafter::journal {
namespace {

namespace fs = std::filesystem;

std::string error_of(const auto& what) {
  try {
    what();
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(Journal, KeepsItsEntries) {
  MadeJournal made("5x");
  Entry entry = step("Vectors \"and\" \xff", {result("simd", 250)});
  entry.prediction = "2x";
  entry.answers.next = "Threads";
  made.journal.add(entry);
  const Journal read(made.journal.folder());
  ASSERT_EQ(read.entries().size(), 2u);
  EXPECT_EQ(read.target(), "5x");
  EXPECT_EQ(read.title(), "Sums");
  const Entry& kept = read.entries()[1];
  EXPECT_EQ(kept.number, 2);
  EXPECT_EQ(kept.kind, Kind::step);
  EXPECT_TRUE(kept.message.starts_with("Vectors \"and\" ")) << "invalid UTF-8 does no harm";
  EXPECT_EQ(kept.prediction, "2x");
  EXPECT_EQ(kept.answers.next, "Threads");
  EXPECT_EQ(kept.verdict, Verdict::right);
  EXPECT_EQ(kept.results[0]["median_ns"], 250);
}

TEST(Journal, IsFoundFromAnywhereBelow) {
  const MadeJournal made;
  fs::create_directories(made.file("a/b"));
  EXPECT_EQ(find_journal(made.file("a/b")), made.journal.folder());
  EXPECT_EQ(find_journal(made.journal.folder()), made.journal.folder());
  EXPECT_FALSE(find_journal("/").has_value());
  EXPECT_TRUE(has(error_of([] { open_journal("/"); }), "'rafter journal start' starts one"));
}

TEST(Journal, HasTheChangeOfSourcesSinceThePreviousEntry) {
  const lab::TemporaryFolder work;
  const fs::path source = work.path() / "my.cu", header = work.path() / "my.cuh";
  base::write_file(source, "one\ntwo\n");
  Journal journal = Journal::start(work.path(), {.kind = Kind::start}, {source});
  EXPECT_EQ(journal.entries()[0].sources[0].name, "my.cu");
  EXPECT_EQ(journal.add(step("nothing", {})).change, "");
  base::write_file(source, "one\n2\n");
  base::write_file(header, "h\n");
  EXPECT_EQ(journal.add(step("2", {}), {{.file = header}}).change,
            "--- my.cu\n+++ my.cu\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n");
  fs::remove(source);
  base::write_file(header, "H\n");
  const Entry& third = journal.add(step("3", {}), {{.file = header}});
  EXPECT_EQ(third.change, "--- my.cuh\n+++ my.cuh\n@@ -1 +1 @@\n-h\n+H\n");
  EXPECT_EQ(third.sources[1].why_not, "it cannot be read");
  base::write_file(source, std::string("one\n2\n3\0", 8));
  EXPECT_EQ(journal.add(step("4", {})).sources[0].why_not, "it is not a text file");
  base::write_file(source, "one\n2\n3\n");
  EXPECT_EQ(journal.add(step("5", {})).change, "--- my.cu\n+++ my.cu\n@@ -1,2 +1,3 @@\n one\n 2\n+3\n")
      << "since it was kept last";
}

TEST(Journal, ComparesARungWithThePreviousOne) {
  MadeJournal made;
  const fs::path text = made.file("text");
  base::write_file(text, "plain\n");
  made.journal.add(step("", {}), {{.name = "sum on cpu", .shown = "kernels/sum/plain.cpp", .file = text}});
  base::write_file(text, "simd\n");
  EXPECT_EQ(
      made.journal.add(step("", {}), {{.name = "sum on cpu", .shown = "kernels/sum/simd.cpp", .file = text}}).change,
      "--- kernels/sum/plain.cpp\n+++ kernels/sum/simd.cpp\n@@ -1 +1 @@\n-plain\n+simd\n");
}

TEST(Journal, GivesEveryProcessItsOwnEntry) {
  constexpr int n_processes = 6, n_each = 8;
  const MadeJournal made;
  for (int process = 0; process < n_processes; ++process) {
    if (fork() != 0) continue;
    Journal own(made.journal.folder());
    for (int i = 0; i < n_each; ++i) own.add(step(std::to_string(process) + "/" + std::to_string(i), {}));
    _exit(0);
  }
  for (int process = 0; process < n_processes; ++process) {
    int status = 0;
    wait(&status);
    EXPECT_EQ(status, 0);
  }
  const Journal read(made.journal.folder());
  std::set<std::string> messages;
  for (const Entry& entry : read.entries()) messages.insert(entry.message);
  EXPECT_EQ(read.entries().size(), 1u + n_processes * n_each);
  EXPECT_EQ(messages.size(), 1u + n_processes * n_each);
  EXPECT_TRUE(read.damaged().empty());
  for (const auto& file : fs::directory_iterator(made.journal.folder()))
    EXPECT_FALSE(has(file.path().string(), ".partial")) << "nothing is left over";
}

TEST(Journal, LosesNothingOnAFullDisk) {
  MadeJournal made;
  made.journal.add(step("before", {result("simd", 250)}));
  Entry large = step(std::string(20000, 'x'), {});
  {
    const solve::FullDisk full(8192);
    EXPECT_TRUE(has(error_of([&] { made.journal.add(large); }), "cannot write"));
  }
  EXPECT_EQ(Journal(made.journal.folder()).entries().size(), 2u);
  EXPECT_EQ(made.journal.entries().size(), 2u) << "nor in memory";
  made.journal.add(large);
  EXPECT_EQ(Journal(made.journal.folder()).entries().size(), 3u);
}

TEST(Journal, SkipsEntriesThatCannotBeRead) {
  MadeJournal made;
  made.journal.add(step("one", {result("simd", 250)}));
  made.journal.add(step("two", {}));
  const std::string whole = *base::read_file(made.journal.folder() / "0002.json");
  for (const auto& [text, words] :
       {std::pair{whole.substr(0, whole.size() / 2), "is not JSON, or is truncated"},
        {std::string("[1]"), "is not a journal entry"},
        {std::string("{\"format\": 2}"), "of a newer rafter"},
        {std::string("{\"format\":1,\"entry\":2,\"kind\":\"step\",\"time\":\"\",\"results\":[1]}"),
         "has no results"}}) {
    base::write_file(made.journal.folder() / "0002.json", text);
    Journal read(made.journal.folder());
    EXPECT_EQ(read.entries().size(), 2u);
    ASSERT_EQ(read.damaged().size(), 1u) << text;
    EXPECT_TRUE(has(read.damaged()[0], words)) << read.damaged()[0];
  }
  Journal read(made.journal.folder());
  EXPECT_EQ(read.add(step("three", {})).number, 4) << "its number stays taken";
}

TEST(Journal, RejectsANewerVersion) {
  const lab::TemporaryFolder folder;
  base::write_file(folder.path() / "rafter-journal/0001.json", "{\"format\": 9}");
  EXPECT_TRUE(has(error_of([&] { open_journal(folder.path()); }), "has format 9 of a newer rafter"));
}

TEST(Journal, CanBeStoppedAndContinued) {
  MadeJournal made("5x");
  EXPECT_TRUE(has(error_of([&] { Journal::start(made.folder.path(), {.kind = Kind::start}, {}); }), "is active in"));
  made.journal.add({.kind = Kind::stop, .message = "enough"});
  EXPECT_FALSE(Journal(made.journal.folder()).is_active());
  const Journal again = Journal::start(made.folder.path(), {.kind = Kind::start, .target = "6x"}, {});
  EXPECT_TRUE(again.is_active());
  EXPECT_EQ(again.entries().size(), 3u);
  EXPECT_EQ(again.target(), "6x");
  EXPECT_EQ(again.title(), "Sums");
  EXPECT_TRUE(has(error_of([&] { Journal::start(made.file("none"), {.kind = Kind::start}, {}); }), "is not a folder"));
}

/// Returns the output of `record` in a folder.
std::string recorded_in(const fs::path& folder, const Event& event) {
  const fs::path before = fs::current_path();
  fs::current_path(folder);
  testing::internal::CaptureStderr();
  record(event);
  fs::current_path(before);
  return testing::internal::GetCapturedStderr();
}

TEST(Record, DoesNothingWithoutAJournal) {
  const lab::TemporaryFolder folder;
  EXPECT_EQ(recorded_in(folder.path(), {.sources = {folder.path() / "my.cu"}, .verdict = "right"}), "");
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(Record, FindsSourcesAmongArguments) {
  const lab::TemporaryFolder folder;
  const std::string file = (folder.path() / "my.cu").string();
  base::write_file(file, "");
  EXPECT_EQ(sources_in({"-O3", file, "-I", folder.path().string(), "none.cu"}), std::vector<fs::path>{file});
}

TEST(Record, ReportsAMissingJournalProgram) {
  const MadeJournal made;
  const lab::TemporaryFolder elsewhere;
  const std::string words = "rafter-journal is missing; './rafter build rafter-journal'";
  EXPECT_TRUE(has(recorded_in(made.folder.path(), {.verdict = "right"}), words));
  EXPECT_TRUE(has(recorded_in(elsewhere.path(), {.sources = {made.file("my.cu")}}), words))
      << "a source is in its tree";
  setenv("RAFTER_JOURNAL", "off", 1);
  EXPECT_EQ(recorded_in(made.folder.path(), {.verdict = "right"}), "");
  unsetenv("RAFTER_JOURNAL");
}

}  // namespace
}  // namespace rafter::journal
