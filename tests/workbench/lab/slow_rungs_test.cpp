// A rung so slow that it is sampled only three times: every call counts.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "measuring.hpp"

namespace rafter::lab {
namespace {

/// Returns a rung's function that is so slow that it is sampled only three times, once on each input set.
Run slowly(const Run& run) {
  return [run](Doubling& work, int set) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    run(work, set);
  };
}

constexpr MeasureOptions for_slow_rungs{.rounds = {.cap_s = 0.01}};

// A peer, because an op is timed twice.
TEST(SlowRung, IsCalledOncePerSampleAndOnceBefore) {
  int n_calls = 0, n_prepared = 0;
  const auto counts = [&](Doubling& work, int set) {
    ++n_calls;
    if (work.is_prepared()) ++n_prepared;
    work.solve(set);
  };
  const Workload workload = doubling_workload({rung_of("slow", slowly(counts), RungKind::peer)});
  const CaseReport report = measure(workload, for_slow_rungs);
  EXPECT_EQ(report.rungs[0].status, Status::verified) << report.rungs[0].reason;
  EXPECT_EQ(report.rungs[0].samples_ns.size(), 3u);
  EXPECT_EQ(n_calls, 4);
  EXPECT_EQ(n_prepared, 4);
  EXPECT_EQ(report.rungs[0].n_verified, 3);
}

TEST(SlowRung, WrongOnItsLastInputSetIsCaught) {
  const auto misses_one = [](Doubling& work, int set) { work.solve(set, set == 2 ? Doubling::n - 1 : Doubling::n); };
  const Workload workload = doubling_workload({rung_of("slow", slowly(misses_one)), right_rung});
  const CaseReport report = measure(workload, for_slow_rungs);
  EXPECT_EQ(report.rungs[0].status, Status::wrong);
  EXPECT_NE(report.rungs[0].reason.find("wrong in round 2"), std::string::npos) << report.rungs[0].reason;
  EXPECT_TRUE(report.rungs[0].samples_ns.empty());
  EXPECT_EQ(report.rungs[1].status, Status::verified);
}

}  // namespace
}  // namespace rafter::lab
