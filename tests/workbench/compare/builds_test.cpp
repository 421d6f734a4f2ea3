// Compares two builds alternately. Scripts with known times replace the builds.
#include "workbench/compare/builds.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "../lab/expect_error.hpp"
#include "../lab/temporary_folder.hpp"
#include "base/files.hpp"
#include "made_results.hpp"

namespace rafter::compare {
namespace {

namespace fs = std::filesystem;
using lab::expect_error;
using lab::Verdict;

class Builds : public testing::Test {
 protected:
  /// Makes a build that writes results for its seed with times around `ns`; `extra` runs first.
  fs::path build(const std::string& name, double ns, const std::string& extra = "") {
    const fs::path folder = folder_.path() / name;
    base::write_file(folder / "libexec/rafter-run", "");
    for (unsigned seed = 1; seed <= 40; ++seed) {
      base::write_file(folder / "results" / std::to_string(seed),
                       document({rung("op", times(ns, 7 * seed + static_cast<unsigned>(ns)))}).dump());
    }
    base::write_file(folder / "rafter",
                     "#!/bin/bash\necho \"$@\" >>" + (folder / "calls").string() + "\n" + extra +
                         "\nwhile [ $# != 0 ]; do case $1 in --seed) seed=$2 ;; --json) out=$2 ;; esac; "
                         "shift; done\ncp " +
                         (folder / "results").string() + "/$seed $out\n");
    fs::permissions(folder / "rafter", fs::perms::owner_all);
    return folder;
  }
  static BuildsComparison run(const fs::path& before, const fs::path& after, int most_rounds = 40) {
    return compare_builds(
        {.before = before, .after = after, .run = {"sum", "--size", "99"}, .most_rounds = most_rounds},
        [](const std::string&) {});
  }

  lab::TemporaryFolder folder_;
};

TEST_F(Builds, DetectTwoPercentSlower) {
  const auto found = run(build("a", 1000), build("b", 1020));
  EXPECT_EQ(found.comparison.rungs.at(0).versus.verdict, Verdict::slower);
  EXPECT_TRUE(found.comparison.any_worse());
  EXPECT_GE(found.n_rounds, 8);
}

TEST_F(Builds, FindTheSameBuildEqual) {
  const fs::path one = build("a", 1000);
  const auto found = run(one, one);
  EXPECT_EQ(found.comparison.rungs.at(0).versus.verdict, Verdict::same);
  EXPECT_EQ(found.n_rounds, 8);
}

TEST_F(Builds, GetTheSameArgumentsAndSeeds) {
  run(build("a", 1000), build("b", 1500), 8);
  const std::string calls = base::read_file(folder_.path() / "a/calls").value();
  EXPECT_TRUE(calls.starts_with("run sum --size 99 --seed 1 --json ")) << calls;
  EXPECT_EQ(calls, base::read_file(folder_.path() / "b/calls").value());
}

TEST_F(Builds, ReportTheirErrors) {
  const fs::path good = build("a", 1000), bad = build("b", 1000, "echo 'unknown workload sum'; exit 2");
  expect_error(ErrorCode::device_failure, "ended with 2; its output:\nunknown workload sum", [&] { run(good, bad); });
  expect_error(ErrorCode::device_failure, "ended with", [&] { run(good, build("c", 1000, "kill -9 $$")); });
}

TEST_F(Builds, AreFoundInCheckouts) {
  const fs::path inner = build("checkout/build/release", 1000);
  EXPECT_EQ(program_in(folder_.path() / "checkout"), inner / "rafter");
  EXPECT_EQ(program_in(inner), inner / "rafter");
  fs::create_directories(folder_.path() / "empty");
  expect_error(ErrorCode::io, "there is no build of rafter in", [&] { program_in(folder_.path() / "empty"); });
  expect_error(ErrorCode::io, "is not a folder", [&] { program_in(folder_.path() / "none"); });
}

TEST_F(Builds, StopOnRequest) {
  static std::atomic<int> n_asked;
  n_asked = 0;
  const fs::path one = build("a", 1000);
  const auto found =
      compare_builds({.before = one, .after = one, .run = {"sum"}, .stop_wanted = [] { return ++n_asked > 20; }},
                     [](const std::string&) {});
  EXPECT_TRUE(found.was_stopped);
  EXPECT_GT(found.n_rounds, 0);
  EXPECT_LT(found.n_rounds, 8);
}

}  // namespace
}  // namespace rafter::compare
