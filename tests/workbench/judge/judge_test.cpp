// The submissions that are found, and the verdicts in their forms. What a submission gets is tested by Try.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "base/files.hpp"
#include "rafter/error.hpp"
#include "workbench/judge/submissions.hpp"
#include "workbench/judge/verdicts.hpp"
#include "workbench/lab/expect_error.hpp"

namespace rafter::judge {

using lab::expect_error;

namespace {

class Submissions : public testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) const {
    base::write_file(folder_.path() / name, text);
    return (folder_.path() / name).string();
  }
  base::ScratchFolder folder_;
};

TEST_F(Submissions, AreFilesAndSourcesInFolders) {
  file("class/b.cu", "b");
  file("class/group/a.cu", "a");
  file("class/notes.txt", "no");
  const std::string alone = file("alone.txt", "abc");
  const auto found = find_submissions({alone, (folder_.path() / "class").string(), alone});
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].file, alone);
  EXPECT_EQ(found[0].sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_TRUE(found[1].file.ends_with("class/b.cu")) << found[1].file;
  EXPECT_TRUE(found[2].file.ends_with("class/group/a.cu")) << found[2].file;
}

TEST_F(Submissions, AreRefusedWhereThereAreNone) {
  std::filesystem::create_directories(folder_.path() / "empty");
  const std::string pipe = (folder_.path() / "pipe").string();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  expect_error(ErrorCode::bad_argument, "no CUDA source",
               [&] { find_submissions({(folder_.path() / "empty").string()}); });
  expect_error(ErrorCode::bad_argument, "neither a file nor a folder", [&] { find_submissions({pipe}); });
  expect_error(ErrorCode::io, "there is no file or folder", [&] { find_submissions({"none.cu"}); });
  expect_error(ErrorCode::bad_argument, "nothing to judge", [] { find_submissions({}); });
}

Judgement judged(const std::string& file, const std::vector<nlohmann::json>& exercises) {
  Judgement one{.submission = {file, "00"}};
  one.exercises = exercises;
  conclude(one);
  return one;
}

nlohmann::json exercise(const char* verdict, const std::string& title = "") {
  nlohmann::json one = {{"verdict", verdict}, {"right_with", {"n=1", "n=2"}}};
  if (!title.empty()) one["message"] = {{"title", title}, {"detail", "a < b"}};
  return one;
}

TEST(Verdicts, AreTheWorstOfTheExercises) {
  EXPECT_EQ(judged("a.cu", {exercise("right"), exercise("right")}).verdict, "right");
  const Judgement wrong = judged("a.cu", {exercise("right"), exercise("wrong", "a race"), exercise("right")});
  EXPECT_EQ(wrong.verdict, "wrong");
  EXPECT_EQ(wrong.why, "a race");
  EXPECT_EQ(judged("a.cu", {exercise("could not run", "no"), exercise("wrong", "a race")}).verdict, "could not run");
  EXPECT_EQ(judged("a.cu", {exercise("wrong", "a race"), exercise("could not run", "no")}).why, "no");
}

// Nothing that a process leaves behind is right by default.
TEST(Verdicts, NeedAnExerciseWithAVerdict) {
  EXPECT_EQ(judged("a.cu", {}).verdict, "could not run");
  EXPECT_FALSE(judged("a.cu", {}).why.empty());
  EXPECT_EQ(judged("a.cu", {nlohmann::json::object()}).verdict, "could not run");
  EXPECT_EQ(judged("a.cu", {exercise("perfect")}).verdict, "could not run");
}

TEST(Verdicts, SurviveTheResultsFile) {
  const Judgement one = judged("a.cu", {exercise("wrong", "a race")});
  const Judgement again = judgement_of(to_json(one));
  EXPECT_EQ(to_json(again), to_json(one));
}

TEST(Verdicts, OfAFileCannotBreakTheFormsOfOthers) {
  const std::vector<Judgement> all{judged("good.cu", {exercise("right")}),
                                   judged("a\n<b>\".cu", {exercise("wrong", "x\x1b[2J<&\"\nright.cu  right")})};
  const std::string xml = junit_of("sum", all);
  EXPECT_NE(xml.find("tests=\"2\" failures=\"1\" errors=\"0\""), std::string::npos) << xml;
  EXPECT_NE(xml.find("name=\"a\n&lt;b&gt;&quot;.cu\""), std::string::npos) << xml;
  EXPECT_NE(xml.find("message=\"x [2J&lt;&amp;&quot;"), std::string::npos) << xml;
  EXPECT_NE(xml.find(">a &lt; b</failure>"), std::string::npos) << xml;
  const std::string table = table_of(all);
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 3) << table;
  EXPECT_EQ(table.find('\x1b'), std::string::npos);
  EXPECT_NE(csv_of(all).find("\"a\n<b>\"\".cu\",00,wrong,"), std::string::npos) << csv_of(all);
  EXPECT_EQ(summary_of(all), "2 submissions: 1 right, 1 wrong");
}

}  // namespace
}  // namespace rafter::judge
