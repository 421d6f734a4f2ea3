// rafter judge on a batch of 200 submissions, of which 60 are wrong, cheat or attack: one command, in sandboxes. Each
// gets its own verdict whatever the others do. Without RAFTER_NIGHTLY five of them are judged.
#include <algorithm>
#include <cstdlib>
#include <map>

#include "../tool.hpp"
#include "base/sandbox/sandbox.hpp"
#include "submissions.hpp"

namespace rafter::simt::test {
namespace {

/// The submissions that every change is tested with: attacks on the others, and right kernels.
const std::vector<std::string> few{"right_2_0_0", "fork_bomb_1", "prints_1", "kills_1", "closes_1"};

class Batch : public ToolTest {};

TEST(Submissions, AreTwoHundredDifferentOnes) {
  const std::vector<Submitted> all = all_submissions();
  std::map<std::string, std::string> by_text;
  int n_right = 0;
  for (const Submitted& one : all) {
    EXPECT_TRUE(by_text.emplace(one.text, one.name).second) << one.name << " is " << by_text[one.text];
    n_right += one.is_right ? 1 : 0;
  }
  EXPECT_EQ(all.size(), 200U);
  EXPECT_EQ(n_right, 140);
}

TEST_F(Batch, IsJudgedRight) {
  if (const auto reason = base::why_no_sandbox()) GTEST_SKIP() << *reason;
  const bool is_nightly = std::getenv("RAFTER_NIGHTLY") != nullptr;
  std::map<std::string, bool> is_right;
  constexpr std::size_t n_first = 2;
  std::string first;
  for (const Submitted& one : all_submissions()) {
    if (!is_nightly && std::find(few.begin(), few.end(), one.name) == few.end()) continue;
    is_right[one.name] = one.is_right;
    file("class/" + one.name + ".cu", one.text);
    if (is_right.size() <= n_first) first += " class/" + one.name + ".cu";
  }
  ASSERT_EQ(is_right.size(), is_nightly ? 200U : few.size());
  const std::string options = " --untrusted --seed 37 --time-limit 5 --jobs 2 --json verdicts.json";
  const auto judge = [&](const std::string& words) {
    return shell(folder_.path(), "timeout 7200 " RAFTER_TOOL_PATH " judge sum_atomic" + words + options);
  };
  const Outcome begun = judge(first);
  const json kept = json::parse(text_of(folder_.path() / "verdicts.json"), nullptr, false);
  ASSERT_EQ(kept.value("submissions", json::array()).size(), n_first) << begun.all();
  const Outcome all = judge(" class --continue verdicts.json");  // the rest
  EXPECT_EQ(all.code, 1) << all.all();
  // What one prints, 256 MiB, neither fills the results nor delays the others.
  EXPECT_LT(fs::file_size(folder_.path() / "verdicts.json"), 200'000 * is_right.size());
  const json verdicts = json::parse(text_of(folder_.path() / "verdicts.json"), nullptr, false);
  ASSERT_EQ(verdicts.value("submissions", json::array()).size(), is_right.size()) << all.all();
  for (const json& one : verdicts["submissions"]) {
    const std::string name = fs::path(one["file"].get<std::string>()).stem();
    EXPECT_EQ(one["verdict"] == "right", is_right.at(name)) << name << ": " << one["verdict"] << ", " << one["why"];
  }
}

}  // namespace
}  // namespace rafter::simt::test
