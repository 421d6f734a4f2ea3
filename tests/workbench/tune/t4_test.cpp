#include "workbench/tune/t4.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "rafter/error.hpp"
#include "workbench/lab/expect_error.hpp"
#include "workbench/tune/energy.hpp"

namespace rafter::tune {
namespace {

TEST(T4, HasEveryTrialWithItsConfigurationAndValidity) {
  const Space space = parse_space({"TILE=8,16,32,64,128", "TYPE=float,0.5"}, "", {});
  const nlohmann::json document =
      t4_of(space,
            {{.point = {0, 0}, .ns = 2.5e6, .energy_j = 0.25, .compile_ms = 1200, .when = "2026-01-31T12:00:00Z"},
             {.point = {1, 1}, .status = "wrong"},
             {.point = {2, 0}, .status = "does not compile"},
             {.point = {3, 0}, .status = "failed", .reason = "it did not end within 10 s and was stopped"},
             {.point = {4, 0}, .status = "failed", .reason = "the process ended early"}},
            Objective::time);
  EXPECT_EQ(document["schema_version"], "1.0.0");
  const nlohmann::json& results = document["results"];
  ASSERT_EQ(results.size(), 5u);
  EXPECT_EQ(results[0], nlohmann::json::parse(R"({
    "timestamp": "2026-01-31T12:00:00Z", "configuration": {"TILE": 8, "TYPE": "float"}, "objectives": ["time"],
    "times": {"compilation_time": 1200.0, "runtimes": [2.5]}, "invalidity": "correct", "correctness": 1,
    "measurements": [{"name": "time", "value": 2.5, "unit": "ms"}, {"name": "energy", "value": 0.25, "unit": "J"}]})"));
  EXPECT_EQ(results[1]["configuration"]["TYPE"], 0.5);
  const char* expected[] = {"correct", "correctness", "compile", "timeout", "runtime"};
  for (std::size_t i = 0; i < results.size(); ++i) {
    EXPECT_EQ(results[i]["invalidity"], expected[i]);
    EXPECT_EQ(results[i]["correctness"], i == 0 ? 1 : 0);
  }
}

TEST(T4, CallsEstimatesByTheirName) {
  const Space space = parse_space({"TILE=8"}, "", {});
  const nlohmann::json document = t4_of(space, {{.point = {0}, .estimate_ns = 1e6}}, Objective::time);
  EXPECT_EQ(document["results"][0]["objectives"][0], "estimated_time");
  EXPECT_TRUE(document["results"][0]["times"]["runtimes"].empty());
}

/// A counter that advances every `step_s` seconds of simulated time; a call takes `call_s` and `watts`.
struct Gpu {
  double step_s, call_s, watts, now_s = 0.013;

  double joules() const { return watts * step_s * std::floor(now_s / step_s); }
  double measured(int n_calls) {
    return joules_per_call([this] { return joules(); }, [this](int n) { now_s += n * call_s; }, n_calls);
  }
};

TEST(Energy, IsThatOfOneCall) {
  EXPECT_NEAR((Gpu{.step_s = 0.1, .call_s = 1e-3, .watts = 300}.measured(1)), 0.3, 0.003);
  EXPECT_NEAR((Gpu{.step_s = 0.02, .call_s = 5e-6, .watts = 700}.measured(100)), 0.0035, 0.00004);
  EXPECT_NEAR((Gpu{.step_s = 0.1, .call_s = 0.75, .watts = 300}.measured(1)), 225, 45) << "calls longer than a step";
}

TEST(Energy, RefusesACounterThatStandsStill) {
  lab::expect_error(ErrorCode::device_failure, "does not advance",
                    [] { static_cast<void>(joules_per_call([] { return 1.; }, [](int) {}, 1, 8, 10)); });
}

}  // namespace
}  // namespace rafter::tune
