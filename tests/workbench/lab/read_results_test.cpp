// Reading results files: a case equals the one that was written.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "doubling.hpp"
#include "rafter/error.hpp"
#include "workbench/lab/report/results.hpp"

namespace rafter::lab {
namespace {

/// A case with every field that a results file has.
CaseReport whole_case(const Workload& workload) {
  CaseReport report{.workload = &workload,
                    .params = {{"n", std::int64_t{1000}}, {"part", 0.1}, {"dtype", "float32"}},
                    .seed = 7,
                    .n_input_sets = 3,
                    .regime = Regime::warm,
                    .cost = {.bytes_read = 4000, .bytes_written = 400, .operations = operations_on(Unit::fp64, 12)},
                    .floor = {.ns = 90, .limit = Floor::Limit::arithmetic, .unit = Unit::fp64},
                    .noise = 0.01};
  Measurement op{.rung = &workload.rungs[0],
                 .reason = "1 correct",
                 .samples_ns = {100, 101, 105, 99},
                 .rounds = {0, 1, 3, 4},
                 .stopped_by = "steady",
                 .n_launches = 2,
                 .n_discarded = 1};
  op.summary = summarize(op.samples_ns);
  op.others[Regime::wall] = summarize(std::vector<double>{200, 201});
  op.stages = StageProfile{{{"load", 30}, {"store", 70}}};
  report.rungs = {op, {.rung = &workload.rungs[1], .status = Status::wrong, .reason = "element 3 is 7"}};
  return report;
}

TEST(ReadResults, ReturnsTheCaseThatWasWritten) {
  const Workload workload = doubling_workload({right_rung, rung_of("wrong", right)});
  const CaseReport written = whole_case(workload);
  const auto file = results_json(nlohmann::json::object(), nlohmann::json::object(), std::span(&written, 1));
  const auto document = nlohmann::json::parse(file.dump());
  const auto read = find_report(document, workload, written.params, Device::cpu, "warm");
  ASSERT_TRUE(read.has_value());
  const auto again = results_json(nlohmann::json::object(), nlohmann::json::object(), std::span(&*read, 1));
  EXPECT_EQ(again["results"], document["results"]);
  EXPECT_EQ(read->rungs[0].rung, &workload.rungs[0]);
  EXPECT_EQ(read->rungs[0].rounds, written.rungs[0].rounds) << "which verdicts rest on";
}

TEST(ReadResults, ReturnsNothingForOtherCasesAndRungs) {
  const Workload workload = doubling_workload({right_rung, rung_of("wrong", right)});
  const CaseReport written = whole_case(workload);
  const auto document = results_json(nlohmann::json::object(), nlohmann::json::object(), std::span(&written, 1));
  Params other = written.params;
  other.set("n", std::int64_t{1001});
  EXPECT_FALSE(find_report(document, workload, other, Device::cpu, "warm").has_value());
  EXPECT_FALSE(find_report(document, workload, written.params, Device::cpu, "cold").has_value());
  EXPECT_FALSE(find_report(document, workload, written.params, Device::cuda, "warm").has_value());
  EXPECT_FALSE(find_report(document, doubling_workload({right_rung}), written.params, Device::cpu, "warm").has_value())
      << "a rung that is not known any more";
  auto broken = document;
  broken["results"][0].erase("rounds");
  EXPECT_THROW(find_report(broken, workload, written.params, Device::cpu, "warm"), Error);
}

}  // namespace
}  // namespace rafter::lab
