#include "workbench/session/jobs.hpp"

#include <gtest/gtest.h>

#include "rafter/error.hpp"

namespace rafter::session {
namespace {

lab::Workload workload_named(const std::string& name) {
  lab::Workload workload;
  workload.name = name;
  workload.parameters = {{"rows", "number of rows", std::int64_t{100}, true},
                         {"cols", "number of columns", std::int64_t{10}, true},
                         {"pad", "columns between rows", std::int64_t{0}, false, {}, false},
                         {"dtype", "of the elements", std::string("float32"), false, {"float32", "float64"}}};
  workload.rungs = {{"plain", Device::cpu, lab::RungKind::rung, "", ""}};
  workload.awkward_cases = [] { return std::vector<lab::Params>{{{"rows", std::int64_t{0}}}}; };
  workload.standard_cases = [](Device, lab::Effort) {
    return std::vector<lab::Params>{{{"rows", std::int64_t{100}}}, {{"rows", std::int64_t{5}}}};
  };
  return workload;
}

const lab::Workload matrix = workload_named("matrix"), other = workload_named("other");

std::vector<Job> jobs(RunRequest request) {
  request.own_options = {"--device", "--size", "--set", "--quick"};
  return parse_jobs(request, {&matrix, &other}, Device::cpu);
}

/// The jobs' cases as texts; those of a job have the same first word.
std::vector<std::string> texts(const std::vector<Job>& all) {
  std::vector<std::string> texts;
  for (const Job& job : all) {
    for (const lab::Params& params : job.cases) {
      texts.push_back((job.swept != nullptr ? job.swept->name : "-") + ": " + params.text());
    }
  }
  return texts;
}

using Texts = std::vector<std::string>;

std::string error_of(const RunRequest& request) {
  try {
    jobs(request);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(Jobs, AreTheStandardOnesWithTheSettings) {
  EXPECT_EQ(texts(jobs({.workloads = {"matrix"}, .settings = {"--cols=7", "dtype=float64"}})),
            (Texts{"-: rows=100 cols=7 dtype=float64", "-: rows=5 cols=7 dtype=float64"}));
}

TEST(Jobs, AreTheAwkwardOnesWithCheck) {
  EXPECT_EQ(texts(jobs({.workloads = {"matrix"}, .check = true})), (Texts{"-: rows=0 cols=10 dtype=float32"}));
}

TEST(Jobs, NeedNoNameOfTheOnlyWorkload) {
  EXPECT_EQ(texts(parse_jobs({.size = "3x2"}, {&matrix}, Device::cpu)), (Texts{"-: rows=3 cols=2 dtype=float32"}));
  EXPECT_NE(error_of({.size = "3x2"}).find("need a workload"), std::string::npos);
}

TEST(Jobs, NeedARungForTheDevice) {
  try {
    parse_jobs({.workloads = {"matrix"}}, {&matrix}, Device::cuda);
    FAIL() << "there is none";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "matrix has no rung for cuda; it has some for: cpu (--device)");
  }
}

TEST(Jobs, AreMergedIfEqual) {
  EXPECT_EQ(texts(jobs({.workloads = {"matrix"}, .settings = {"--rows=3"}})),
            (Texts{"-: rows=3 cols=10 dtype=float32"}));
}

TEST(Jobs, TakeParametersOverSizes) {
  EXPECT_EQ(texts(jobs({.workloads = {"matrix"}, .size = "2x3,4x5", .settings = {"--cols=9"}})),
            (Texts{"-: rows=2 cols=9 dtype=float32", "-: rows=4 cols=9 dtype=float32"}));
}

TEST(Jobs, AListMakesOneJobForEachOtherCase) {
  for (const char* setting : {"--cols=1,2^10,1", "cols=1,2^10"}) {
    const auto sweep = jobs({.workloads = {"matrix"}, .settings = {setting}});
    ASSERT_EQ(sweep.size(), 2u);
    EXPECT_EQ(texts(sweep), (Texts{"cols: rows=100 cols=1 dtype=float32", "cols: rows=100 cols=2^10 dtype=float32",
                                   "cols: rows=5 cols=1 dtype=float32", "cols: rows=5 cols=2^10 dtype=float32"}));
  }
}

TEST(Jobs, AListOfTheDifferingParameterMakesOneJob) {
  EXPECT_EQ(jobs({.workloads = {"matrix"}, .settings = {"--rows=1,2"}}).size(), 1u);
}

TEST(Jobs, ShowASweptStandardValue) {
  const auto sweep = jobs({.workloads = {"matrix"}, .settings = {"--rows=1", "--pad=0,4"}});
  EXPECT_EQ(texts(sweep),
            (Texts{"pad: rows=1 cols=10 dtype=float32 pad=0", "pad: rows=1 cols=10 dtype=float32 pad=4"}));
}

TEST(Jobs, SweepTheFirstOfSeveralLists) {
  const auto sweeps = jobs({.workloads = {"matrix"}, .settings = {"--dtype=float64,float32", "--rows=1,2", "cols=3"}});
  ASSERT_EQ(sweeps.size(), 2u);
  EXPECT_EQ(texts(sweeps), (Texts{"dtype: rows=1 cols=3 dtype=float64", "dtype: rows=1 cols=3 dtype=float32",
                                  "dtype: rows=2 cols=3 dtype=float64", "dtype: rows=2 cols=3 dtype=float32"}));
}

TEST(Jobs, RejectListsForSeveralWorkloads) {
  EXPECT_EQ(error_of({.workloads = {"matrix", "other"}, .settings = {"--cols=1,2"}}),
            "cols is given as a list, which makes a sweep of one workload; there are 2");
  EXPECT_EQ(jobs({.workloads = {"matrix", "other"}, .settings = {"--cols=1"}}).size(), 4u);
}

TEST(Jobs, SuggestOptionsAndParametersForUnknownOptions) {
  EXPECT_EQ(error_of({.workloads = {"matrix"}, .settings = {"--clos=1,2"}}),
            "unknown option '--clos': did you mean '--cols'?");
  EXPECT_EQ(error_of({.workloads = {"matrix"}, .settings = {"--devcie=cpu"}}),
            "unknown option '--devcie': did you mean '--device'?");
  EXPECT_EQ(error_of({.settings = {"--qiuck"}}), "unknown option '--qiuck': did you mean '--quick'?");
  EXPECT_EQ(
      error_of({.workloads = {"matrix"}, .settings = {"--batch=1"}}),
      "unknown option '--batch'; expected one of: --device, --size, --set, --quick, --rows, --cols, --pad, --dtype");
}

TEST(Jobs, SayWhatWasExpectedForBadValues) {
  EXPECT_EQ(error_of({.workloads = {"matrix"}, .settings = {"--cols"}}),
            "--cols takes a value, or several: --cols VALUE[,VALUE...]");
  EXPECT_TRUE(error_of({.workloads = {"matrix"}, .settings = {"--cols=1,,2"}}).starts_with("'' is not a whole number"));
  EXPECT_TRUE(error_of({.workloads = {"matrix"}, .settings = {"--cols=1x2"}}).starts_with("'1x2' is not a whole"));
  EXPECT_EQ(error_of({.workloads = {"matrix"}, .settings = {"--dtype=float32,flaot64"}}),
            "unknown dtype 'flaot64': did you mean 'float64'?");
  EXPECT_EQ(error_of({.workloads = {"matrix"}, .settings = {"--cols=1", "cols=2"}}), "cols is given twice");
  EXPECT_EQ(error_of({.settings = {"--cols=1,2"}}),
            "--size, --set, --rungs and parameters need a workload: rafter run WORKLOAD ...");
}

}  // namespace
}  // namespace rafter::session
