// The roofs of a run on simulated machines: slow at first, drifting, busy, with old caches.
#include "workbench/lab/roofs/run_roofs.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "planted_meter.hpp"
#include "temporary_folder.hpp"
#include "workbench/lab/report/results.hpp"

namespace rafter::lab {
namespace {

class PlantedRun : public testing::Test {
 protected:
  RunRoofs roofs(RoofSource source = RoofSource::cached) {
    return RunRoofs(std::make_unique<PlantedMeter>(machine_),
                    {.source = source, .cache_path = file_, .clocks = machine_.clocks()});
  }
  /// Makes a run at some speed, some time ago.
  void earlier_run(double speed, double hours_ago) {
    const double now = machine_.unix_s;
    machine_.speed = speed;
    machine_.unix_s -= 3600 * hours_ago;
    roofs().begin();
    machine_.unix_s = now;
    machine_.speed = 1;
    machine_.n_samples = 0;
  }
  static std::string all(const std::vector<std::string>& messages) {
    std::string text;
    for (const std::string& sentence : messages) text += sentence + "\n";
    return text;
  }

  PlantedMachine machine_;
  TemporaryFolder folder_;
  std::filesystem::path file_ = folder_.path() / "roofs.json";
  const Cost reading_{.bytes_read = 1e9};
};

TEST_F(PlantedRun, BeginsWithTheRatesOfTheLoops) {
  RunRoofs run = roofs();
  run.begin();
  EXPECT_EQ(run.now().bandwidth.largest(read_traffic), 10e9);
  EXPECT_EQ(run.now().bandwidth.largest(write_traffic), 5e9);
  EXPECT_EQ(run.now().bandwidth.largest(copy_traffic), 8e9);
  EXPECT_EQ(run.now().launch_ns, 10);
  EXPECT_TRUE(run.now().bandwidth.is_complete());
  EXPECT_TRUE(run.take_messages().empty());
}

TEST_F(PlantedRun, MeasuresUnitsWhenACostNeedsThem) {
  machine_.operations_per_s[Unit::fp64] = 3e9;
  RunRoofs run = roofs();
  run.begin();
  run.floor(reading_);
  EXPECT_EQ(machine_.n_asked[Unit::fp64], 0);
  const Floor floor = run.floor({.operations = operations_on(Unit::fp64, 3e9)});
  EXPECT_STREQ(name(floor), "fp64");
  EXPECT_DOUBLE_EQ(floor.ns, 1e9);
  run.floor({.operations = operations_on(Unit::fp64, 3e9)});
  EXPECT_EQ(machine_.n_asked[Unit::fp64], 1);
  EXPECT_EQ(machine_.n_asked[Unit::tensor_bf16], 0);
  EXPECT_NE(all(run.take_messages()).find("roof of fp64 3.00 GFLOP/s"), std::string::npos);
}

TEST_F(PlantedRun, ARungRaisesNoRoof) {
  RunRoofs run = roofs();
  run.begin();
  const double floor_ns = run.floor(reading_).ns;
  EXPECT_FALSE(run.allows(reading_, floor_ns / 1.5));
  run.record_beaten(reading_, floor_ns / 1.5, "sum streamed");
  EXPECT_EQ(run.floor(reading_).ns, floor_ns);
  const std::string messages = all(run.take_messages());
  EXPECT_NE(messages.find("sum streamed took 66.7 ms, less than its floor of 100 ms (memory)"), std::string::npos)
      << messages;
  ASSERT_EQ(run.beaten().size(), 1u);
  EXPECT_EQ(run.beaten()[0].by, "sum streamed");
}

TEST_F(PlantedRun, TimesAboveTheFloorAreAllowedWithoutALook) {
  RunRoofs run = roofs();
  run.begin();
  machine_.n_samples = 0;
  EXPECT_TRUE(run.allows(reading_, run.floor(reading_).ns));
  EXPECT_TRUE(run.allows(reading_, 0.98 * run.floor(reading_).ns));  // the noise of the loops
  EXPECT_EQ(machine_.n_samples, 0);
  EXPECT_TRUE(run.take_messages().empty());
}

TEST_F(PlantedRun, LoopsThatRanOnABusyMachineRunAgain) {
  machine_.speed = 0.5;
  machine_.launch_ns = 40;
  RunRoofs run = roofs();
  run.begin();
  machine_.speed = 1;
  machine_.launch_ns = 10;
  EXPECT_TRUE(run.allows(reading_, 0.1e9));
  EXPECT_EQ(run.now().bandwidth.largest(read_traffic), 10e9);
  EXPECT_TRUE(run.allows({.operations = operations_on(Unit::fp32, 100e9)}, 1e9));
  EXPECT_EQ(run.now().launch_ns, 10);
  EXPECT_TRUE(run.beaten().empty());
}

TEST_F(PlantedRun, LoopsRunAgainAFewTimesOnly) {
  RunRoofs run = roofs();
  run.begin();
  machine_.n_samples = 0;
  EXPECT_FALSE(run.allows(reading_, 1));
  const int n_once = machine_.n_samples;
  EXPECT_GT(n_once, 0);
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(run.allows(reading_, 1));
  EXPECT_EQ(machine_.n_samples, 3 * n_once);
}

TEST_F(PlantedRun, OnlyFasterThanTheCachesIsImpossible) {
  RunRoofs run = roofs();
  run.begin();
  EXPECT_TRUE(run.is_possible(reading_, 1e9 * 1e9 / 100e9));
  EXPECT_TRUE(run.is_possible(reading_, 0.51e9 * 1e9 / 100e9));
  EXPECT_FALSE(run.is_possible(reading_, 0.49e9 * 1e9 / 100e9));
}

TEST_F(PlantedRun, SteadyMachineHasNoDrift) {
  RunRoofs run = roofs();
  run.begin();
  run.end();
  EXPECT_FALSE(run.too_busy());
  EXPECT_EQ(all(run.take_messages()),
            "roofs at the end relative to the start: read 1.00x, write 1.00x, copy 1.00x, fp32 1.00x\n");
}

TEST_F(PlantedRun, OnlyALongRunMeasuresTheWholeCurveAtItsEnd) {
  for (const double run_s : {2., 30.}) {
    RunRoofs run = roofs();
    run.begin();
    machine_.steady_s += run_s;
    machine_.n_samples = 0;
    run.end();
    EXPECT_EQ(run.at_end().bandwidth.is_complete(), run_s > 20) << run_s;
    EXPECT_GT(run.at_end().bandwidth.largest(copy_traffic), 0) << run_s;
    EXPECT_EQ(machine_.n_samples % (run_s > 20 ? static_cast<int>(n_traffics) : 3), 0) << run_s;
  }
}

TEST_F(PlantedRun, MachineThatWasBusyAtTheStartRaisesItsRoofsAtTheEnd) {
  machine_.speed = 0.9;
  RunRoofs run = roofs();
  run.begin();
  machine_.speed = 1;
  run.end();
  EXPECT_EQ(run.now().bandwidth.largest(read_traffic), 10e9);
  EXPECT_EQ(run.now().operations_per_s[Unit::fp32], 100e9);
  EXPECT_EQ(run.start().bandwidth.largest(read_traffic), 9e9);
  EXPECT_FALSE(run.too_busy());
  EXPECT_NE(all(run.take_messages()).find("read 1.11x"), std::string::npos);
}

TEST_F(PlantedRun, MachineThatSlowsDownKeepsItsRoofsAndIsReportedBusy) {
  RunRoofs run = roofs();
  run.begin();
  machine_.speed = 0.5;
  run.end();
  EXPECT_EQ(run.now().bandwidth.largest(read_traffic), 10e9);
  EXPECT_TRUE(run.too_busy());
  const std::string messages = all(run.take_messages());
  EXPECT_NE(messages.find("read 0.50x"), std::string::npos) << messages;
  EXPECT_NE(messages.find("too busy for reliable times"), std::string::npos) << messages;
}

TEST_F(PlantedRun, CachedCurveIsOnlySpotChecked) {
  roofs().begin();
  const int n_whole = machine_.n_samples;
  machine_.n_samples = 0;
  RunRoofs run = roofs();
  run.begin();
  EXPECT_GT(machine_.n_samples, 0);
  EXPECT_LT(machine_.n_samples, n_whole / 2);
  EXPECT_TRUE(run.now().bandwidth.is_complete());
  EXPECT_FALSE(run.too_busy());
}

TEST_F(PlantedRun, CacheExpiresAfterAWeek) {
  earlier_run(3, 6.9 * 24);
  RunRoofs young = roofs();
  young.begin();
  EXPECT_EQ(young.now().bandwidth.largest(read_traffic), 30e9);
  earlier_run(3, 7.1 * 24);
  RunRoofs old = roofs();
  old.begin();
  EXPECT_EQ(old.now().bandwidth.largest(read_traffic), 10e9);
}

TEST_F(PlantedRun, CurveFromTheFutureIsNotUsed) {
  earlier_run(3, -5);
  RunRoofs run = roofs();
  run.begin();
  EXPECT_EQ(run.now().bandwidth.largest(read_traffic), 10e9);
}

TEST_F(PlantedRun, CacheThatIsTooLowIsMeasuredAgain) {
  earlier_run(0.5, 1);
  RunRoofs run = roofs();
  run.begin();
  EXPECT_EQ(run.now().bandwidth.largest(read_traffic), 10e9);
  EXPECT_EQ(run.now().bandwidth.at(1, 0), 8e9);  // a point outside of the spot check
  EXPECT_FALSE(run.too_busy());
}

TEST_F(PlantedRun, CacheAboveTheLoopsIsKeptAndTheMachineReportedBusy) {
  earlier_run(2, 5);
  RunRoofs run = roofs();
  run.begin();
  EXPECT_EQ(run.now().bandwidth.largest(read_traffic), 20e9);
  EXPECT_TRUE(run.too_busy());
  const std::string messages = all(run.take_messages());
  EXPECT_NE(messages.find("read bandwidth is 0.50x of the value measured 5 hours ago"), std::string::npos) << messages;
}

TEST_F(PlantedRun, DriftIsMeasuredWithinTheRunNotFromTheCache) {
  earlier_run(1.1, 5);
  RunRoofs run = roofs();
  run.begin();
  run.end();
  ASSERT_FALSE(run.drifts().empty());
  EXPECT_DOUBLE_EQ(run.drifts()[0].ratio, 1);
}

TEST_F(PlantedRun, RemeasuringIgnoresTheCache) {
  earlier_run(3, 1);
  RunRoofs run = roofs(RoofSource::remeasure);
  run.begin();
  EXPECT_EQ(run.now().bandwidth.largest(read_traffic), 10e9);
}

TEST_F(PlantedRun, RatesOfASecondLookAreCached) {
  machine_.speed = 0.9;
  RunRoofs first = roofs();
  first.begin();
  machine_.speed = 1;
  EXPECT_TRUE(first.allows(reading_, 0.1e9));
  machine_.speed = 0.9;
  first.end();
  RunRoofs second = roofs();
  second.begin();
  EXPECT_EQ(second.now().bandwidth.largest(read_traffic), 10e9);
}

TEST_F(PlantedRun, BrokenCacheIsMeasuredAgainAndReplaced) {
  for (const char* text : {"{\"half a file", "[]", R"({"planted": "not roofs"})", R"({"planted": {"sizes_bytes": 3}})",
                           R"({"planted": {"sizes_bytes": [1e6, 1e8], "bytes_per_s": {}, "measured_unix_s": 1e9}})"}) {
    base::write_file(file_, text);
    RunRoofs run = roofs();
    run.begin();
    EXPECT_EQ(run.now().bandwidth.largest(read_traffic), 10e9) << text;
    EXPECT_TRUE(RoofCache(file_).find("planted", std::vector<double>{1e6, 1e8}, machine_.unix_s)) << text;
  }
}

TEST_F(PlantedRun, KeepsOtherMachinesInTheCache) {
  base::write_file(file_, R"({"another machine": {"launch_ns": 5}})");
  roofs().begin();
  const auto cache = nlohmann::json::parse(base::read_file(file_).value());
  EXPECT_EQ(cache.size(), 2u);
  EXPECT_TRUE(cache.contains("another machine"));
}

TEST_F(PlantedRun, CurveOfOtherSizesIsNotUsed) {
  roofs().begin();
  EXPECT_FALSE(RoofCache(file_).find("planted", std::vector<double>{1e6, 2e8}, machine_.unix_s));
}

TEST_F(PlantedRun, ResultsContainStartEndAndBeatenFloors) {
  RunRoofs run = roofs();
  run.begin();
  run.record_beaten(reading_, run.floor(reading_).ns / 2, "sum");
  machine_.speed = 1.1;
  run.end();
  const auto json = to_json(run);
  EXPECT_EQ(json["read_bytes_per_s"], 11e9);
  EXPECT_EQ(json["start"]["read_bytes_per_s"], 10e9);
  EXPECT_EQ(json["end"]["read_bytes_per_s"], 11e9);
  EXPECT_EQ(json["beaten"][0]["by"], "sum");
  EXPECT_EQ(json["beaten"][0]["limit"], "memory");
  EXPECT_NEAR(json["drift"]["read"].get<double>(), 1.1, 1e-9);
  EXPECT_EQ(json["too_busy"], false);
  EXPECT_NEAR(json["operations_per_s"]["fp32"].get<double>(), 110e9, 1);
}

TEST_F(PlantedRun, BudgetStopsALongMeasurement) {
  PlantedMeter meter(machine_);
  int n_asked = 0;
  const Clocks clocks{[&] { return static_cast<double>(n_asked++); }, [] { return 0.; }};
  measure_bandwidth(meter, {.fewest_rounds = 2, .most_rounds = 1000, .budget_s = 20}, clocks);
  EXPECT_GE(machine_.n_samples, 2 * static_cast<int>(n_traffics));
  EXPECT_LT(machine_.n_samples, 50);
}

}  // namespace
}  // namespace rafter::lab
