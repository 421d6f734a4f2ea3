// Only correct rungs get times, and only times that are possible.
#include "workbench/lab/measure/measure.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <new>
#include <random>
#include <stdexcept>
#include <thread>

#include "expect_error.hpp"
#include "load_generator.hpp"
#include "measuring.hpp"
#include "temporary_folder.hpp"
#include "workbench/lab/machine/machine.hpp"

namespace rafter::lab {
namespace {

TEST(Measure, CorrectRungIsTimed) {
  const Workload workload = doubling_workload({right_rung});
  const CaseReport report = measure(workload, {.seed = 42});
  ASSERT_EQ(report.rungs.size(), 1u);
  const Measurement& m = report.rungs[0];
  EXPECT_EQ(m.status, Status::verified) << m.reason;
  EXPECT_GE(m.samples_ns.size(), 3u);
  EXPECT_EQ(m.summary.n, m.samples_ns.size());
  EXPECT_GT(m.summary.median, 0);
  EXPECT_TRUE(m.stopped_by == "time" || m.stopped_by == "steady") << m.stopped_by;
  EXPECT_EQ(report.seed, 42u);
  EXPECT_EQ(report.n_input_sets, 3);
  EXPECT_FALSE(report.any_wrong());
}

TEST(Measure, WrongRungGetsNoTime) {
  const Workload workload = doubling_workload({rung_of("idle", [](Doubling&, int) {}), right_rung});
  const CaseReport report = measure(workload);
  EXPECT_EQ(report.rungs[0].status, Status::wrong);
  EXPECT_TRUE(report.rungs[0].samples_ns.empty());
  EXPECT_EQ(report.rungs[0].summary.n, 0u);
  EXPECT_EQ(report.rungs[1].status, Status::verified);
  EXPECT_TRUE(report.any_wrong());
}

TEST(Measure, RefusedAndAbsentRungsDoNotStopTheOthers) {
  const Rung refuses =
      rung_of("refuses", [](Doubling&, int) { throw Error(ErrorCode::unsupported, "only for even sizes"); });
  const Rung absent{"absent", Device::cpu, RungKind::peer, "", ""};
  const Workload workload = doubling_workload({refuses, right_rung, absent});
  const CaseReport report = measure(workload);
  EXPECT_EQ(report.rungs[0].status, Status::refused);
  EXPECT_EQ(report.rungs[1].status, Status::verified);
  EXPECT_EQ(report.rungs[2].status, Status::absent);
  EXPECT_FALSE(report.any_wrong());
}

TEST(Measure, RungsOfOtherDevicesAreNotTimed) {
  Rung gpu = right_rung;
  gpu.device = Device::cuda;
  const Workload workload = doubling_workload({gpu, right_rung});
  EXPECT_EQ(measure(workload).rungs.size(), 1u);
}

// The rung stops working when it is timed, right after a correct rung has left the answer in the output.
TEST(Measure, RungThatTurnsWrongWhileTimedIsCaught) {
  Phase phase;
  const Rung turns = rung_of("turns", [&](Doubling& work, int set) {
    if (!phase.timing) work.solve(set);
  });
  const Workload workload = doubling_workload({right_rung, turns});
  const CaseReport report = measure(workload, {}, boundless_roofs, phase.watch());
  EXPECT_EQ(report.rungs[0].status, Status::verified);
  EXPECT_EQ(report.rungs[1].status, Status::wrong);
  EXPECT_NE(report.rungs[1].reason.find("correct at first, wrong in round "), std::string::npos)
      << report.rungs[1].reason;
}

TEST(Measure, RungThatIsWrongAfterTheTimingIsCaught) {
  Phase phase;
  const Workload workload = doubling_workload({rung_of("tires", [&](Doubling& work, int set) {
    if (!phase.over) work.solve(set);
  })});
  const CaseReport report = measure(workload, {}, boundless_roofs, phase.watch());
  EXPECT_EQ(report.rungs[0].status, Status::wrong);
  EXPECT_NE(report.rungs[0].reason.find("not after"), std::string::npos) << report.rungs[0].reason;
}

TEST(Measure, InputChangedOnlyWhileTimedIsCaught) {
  Phase phase;
  const Workload workload = doubling_workload({rung_of("scribbles", [&](Doubling& work, int set) {
    work.solve(set);
    if (phase.timing) const_cast<float*>(work.in.span(set).data())[5] += 1;
  })});
  EXPECT_EQ(measure(workload, {}, boundless_roofs, phase.watch()).rungs[0].status, Status::wrong);
}

// The last rung is timed twice in each round, for the noise; its second run is checked, too.
TEST(Measure, WrongAnswerInTheSecondRunOfTheOpCounts) {
  int n_prepared = 0;
  const Workload workload = doubling_workload({rung_of("sometimes", [&](Doubling& work, int set) {
    if (work.is_prepared()) ++n_prepared;
    if (n_prepared != 5) work.solve(set);  // 3 to verify, followed by one for each of the two
  })});
  const CaseReport report = measure(workload);
  ASSERT_GE(n_prepared, 5);
  EXPECT_EQ(report.rungs[0].status, Status::wrong);
}

TEST(Measure, FailureWhileTimedFailsOnlyThatRung) {
  Phase phase;
  const Rung breaks = rung_of("breaks", [&](Doubling& work, int set) {
    if (phase.timing) throw Error(ErrorCode::device_failure, "illegal address");
    work.solve(set);
  });
  const Workload workload = doubling_workload({breaks, right_rung});
  CaseReport report;
  ASSERT_NO_THROW(report = measure(workload, {}, boundless_roofs, phase.watch()));
  EXPECT_EQ(report.rungs[0].status, Status::failed);
  EXPECT_EQ(report.rungs[1].status, Status::verified);
}

TEST(Measure, TimeThatNoCacheAllowsIsImplausible) {
  const Workload workload = doubling_workload({right_rung});
  const CaseReport report =
      measure(workload, {}, {.bandwidth = Bandwidth::flat(1e3, 1e3, 1e3), .cache_bytes_per_s = 1e3});
  EXPECT_EQ(report.rungs[0].status, Status::implausible);
  EXPECT_EQ(report.rungs[0].summary.n, 0u);
  EXPECT_NE(report.rungs[0].reason.find("less than half of the time that the caches"), std::string::npos)
      << report.rungs[0].reason;
  EXPECT_TRUE(report.any_wrong());
}

/// Returns a correct rung that takes a given time, which the scheduler rarely interrupts.
constexpr double spin_ns = 200e3;
constexpr RoundsOptions brief{.cap_s = 0.04};
Rung spinning(const std::function<double()>& ns = [] { return spin_ns; }) {
  return rung_of("spins", [ns](Doubling& work, int set) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double, std::nano>(ns());
    work.solve(set);
    while (std::chrono::steady_clock::now() < end) {
    }
  });
}

Roofs roofs_with_floor(double ns) {
  Roofs roofs = boundless_roofs;
  roofs.launch_ns = ns;
  return roofs;
}

TEST(Measure, TimeFarBelowTheLaunchesIsImplausible) {
  const Workload workload = doubling_workload({spinning()});
  const CaseReport report = measure(workload, {.rounds = brief}, roofs_with_floor(spin_ns * 1000));
  EXPECT_EQ(report.rungs[0].status, Status::implausible);
}

TEST(Measure, TimeBelowTheFloorIsPlausibleWhenNotCold) {  // caches have their own roofs
  const Workload workload = doubling_workload({spinning()});
  const CaseReport report =
      measure(workload, {.rounds = {.regime = Regime::warm, .cap_s = 0.04}}, roofs_with_floor(1e9));
  EXPECT_EQ(report.rungs[0].status, Status::verified);
}

/// Roofs with memory so slow that a spinning rung is far below its floor, and with fast caches.
Roofs roofs_that_are_too_low() {
  return {.bandwidth = Bandwidth::flat(1e4, 1e4, 1e4), .cache_bytes_per_s = 1e12, .cache_bytes = 1e6};
}

TEST(Measure, CorrectRungOfOursBelowTheFloorIsReported) {
  RunRoofs roofs(roofs_that_are_too_low());
  const Workload workload = doubling_workload({spinning()});
  const CaseReport report = measure_under(roofs, workload, {.rounds = brief});
  const Measurement& m = report.rungs[0];
  ASSERT_EQ(m.status, Status::verified) << m.reason;
  EXPECT_FALSE(report.any_wrong());
  EXPECT_DOUBLE_EQ(report.floor.ns, 0.8e9);  // 8000 bytes
  EXPECT_EQ(report.share_of_floor(m), 1);
  ASSERT_EQ(roofs.beaten().size(), 1u);
  EXPECT_EQ(roofs.beaten()[0].by, "doubling n=1000 spins");
  EXPECT_EQ(roofs.take_messages().size(), 1u);
}

TEST(Measure, OnlyTheFastestOfTheRungsIsReported) {
  RunRoofs roofs(roofs_that_are_too_low());
  const Workload workload = doubling_workload({spinning([] { return 40 * spin_ns; }), right_rung});
  const CaseReport report = measure_under(roofs, workload, {.rounds = brief});
  ASSERT_EQ(roofs.beaten().size(), 1u);
  EXPECT_EQ(roofs.beaten()[0].by, "doubling n=1000 right");
  EXPECT_EQ(report.rungs[0].status, Status::verified);
}

TEST(Measure, RungOfAUserBelowTheFloorIsSuspicious) {
  RunRoofs roofs(roofs_that_are_too_low());
  Rung theirs = spinning();
  theirs.trust = Trust::unproved;
  const CaseReport report = measure_under(roofs, doubling_workload({theirs, right_rung}), {.rounds = brief});
  EXPECT_EQ(report.rungs[0].status, Status::suspicious);
  EXPECT_NE(report.rungs[0].reason.find("less than the floor"), std::string::npos) << report.rungs[0].reason;
  EXPECT_EQ(report.rungs[0].summary.n, 0u);
  EXPECT_EQ(report.rungs[1].status, Status::verified);
  EXPECT_TRUE(report.any_wrong());
}

TEST(Measure, ProvedRungOfAUserBelowTheFloorIsVerified) {
  RunRoofs roofs(roofs_that_are_too_low());
  Rung theirs = spinning();
  theirs.trust = Trust::proved;
  const CaseReport report = measure_under(roofs, doubling_workload({theirs}), {.rounds = brief});
  EXPECT_EQ(report.rungs[0].status, Status::verified);
  EXPECT_EQ(roofs.beaten().size(), 1u);
}

TEST(Measure, WrongRungsBeatNoFloor) {
  RunRoofs roofs(roofs_that_are_too_low());
  measure_under(roofs, doubling_workload({rung_of("idle", [](Doubling&, int) {})}), {.rounds = brief});
  EXPECT_TRUE(roofs.beaten().empty());
}

TEST(Measure, RoofsThatAreTooHighAreKept) {
  RunRoofs roofs(roofs_with_floor(spin_ns / 100));
  const Workload workload = doubling_workload({spinning(), rung_of("idle", [](Doubling&, int) {})});
  const CaseReport report = measure_under(roofs, workload, {.rounds = brief});
  EXPECT_EQ(report.floor.ns, spin_ns / 100);
  EXPECT_TRUE(roofs.take_messages().empty());
}

// A/A: at any noise, the same rung under two names is neither faster nor slower than itself.
TEST(Measure, SameRungTwiceIsNeitherFasterNorSlower) {
  for (const double noise : {0.02, 0.3, 2.}) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> extra(0, noise);
    const auto noisy = [&] { return spin_ns * (1 + extra(random)); };
    Workload workload = doubling_workload({spinning(noisy), spinning(noisy)});
    workload.rungs[1].kind = RungKind::peer;
    const CaseReport report = measure(workload, {.rounds = {.cap_s = 0.1}});
    ASSERT_NE(report.best_peer(), nullptr);
    const Verdict verdict = versus(*report.op(), *report.best_peer(), report.noise).verdict;
    EXPECT_NE(verdict, Verdict::faster) << noise;
    EXPECT_NE(verdict, Verdict::slower) << noise;
  }
}

// Roofs are measured on a busy machine and rungs on an idle one: correct rungs must stay verified.
TEST(Measure, CorrectRungsPassOnABusyMachine) {
  const TemporaryFolder folder;
  RunRoofs roofs(make_roof_meter(Stream::cpu()), {.cache_path = folder.path() / "roofs.json"});
  {
    const LoadGenerator load(4);
    roofs.begin();
    EXPECT_FALSE(measure_under(roofs, doubling_workload({right_rung}), {.rounds = brief}).any_wrong());
  }
  EXPECT_FALSE(measure_under(roofs, doubling_workload({right_rung}), {.rounds = brief}).any_wrong());
}

TEST(Measure, NoiseOfAJitteryOpIsSeen) {
  int n_calls = 0;
  const Workload workload = doubling_workload({spinning([&] { return spin_ns * (1 + ++n_calls * 7 % 5); })});
  EXPECT_GT(measure(workload, {.rounds = brief}).noise, 0.01);
}

TEST(Measure, RegimeTheDeviceLacksIsRefused) {
  const Workload workload = doubling_workload({right_rung});
  expect_error(ErrorCode::unsupported, "no regime graph",
               [&] { measure(workload, {.rounds = {.regime = Regime::graph}}); });
}

TEST(Measure, NothingVerifiedIsAReportWithoutTimes) {
  const Rung refuses = rung_of("refuses", [](Doubling&, int) { throw Error(ErrorCode::unsupported, "no"); });
  const Workload workload = doubling_workload({rung_of("idle", [](Doubling&, int) {}), refuses});
  for (const Regime regime : {Regime::cold, Regime::graph}) {
    const Progress never_timing = [](const std::string& what, double) { EXPECT_FALSE(what.ends_with("timing")); };
    CaseReport report;
    ASSERT_NO_THROW(report = measure(workload, {.rounds = {.regime = regime}}, boundless_roofs, never_timing));
    ASSERT_EQ(report.rungs.size(), 2u);
    EXPECT_EQ(report.rungs[0].status, Status::wrong);
    EXPECT_EQ(report.rungs[1].status, Status::refused);
    for (const Measurement& m : report.rungs) {
      EXPECT_TRUE(m.samples_ns.empty());
      EXPECT_EQ(m.stopped_by, "");
    }
  }
}

/// Checks that peers may throw any exception at any time; the last rung is correct and must get its time.
void expect_two_failures(const std::function<bool()>& is_time, const MeasureOptions& options = {.rounds = brief},
                         const Progress& progress = no_progress) {
  const auto throws = [&](const auto& error) {
    return rung_of("throws", [&is_time, error](Doubling& work, int set) {
      if (is_time()) throw error;
      work.solve(set);
    });
  };
  const Workload workload =
      doubling_workload({throws(std::bad_alloc()), throws(std::runtime_error("bad")), right_rung});
  CaseReport report;
  ASSERT_NO_THROW(report = measure(workload, options, boundless_roofs, progress));
  EXPECT_EQ(report.rungs[0].status, Status::failed);
  EXPECT_EQ(report.rungs[1].status, Status::failed);
  EXPECT_NE(report.rungs[1].reason.find("bad"), std::string::npos) << report.rungs[1].reason;
  EXPECT_EQ(report.rungs[2].status, Status::verified) << report.rungs[2].reason;
  EXPECT_GT(report.rungs[2].summary.n, 0u);
}

TEST(Measure, RungThatThrowsFailsAlone) {
  expect_two_failures([] { return true; });
}

TEST(Measure, RungThatThrowsWhileTimedFailsAlone) {
  Phase phase;
  expect_two_failures([&] { return phase.timing; }, {.rounds = brief}, phase.watch());
}

TEST(Measure, RungThatThrowsAfterTheTimingFailsAlone) {
  Phase phase;
  expect_two_failures([&] { return phase.over; }, {.rounds = brief}, phase.watch());
}

TEST(Measure, RungThatThrowsInAnotherRegimeFailsAlone) {
  Phase phase;
  expect_two_failures([&] { return phase.over; }, {.rounds = brief, .all_regimes = true}, phase.watch());
}

TEST(Measure, SlowCorrectRungIsVerified) {
  const Rung slow = rung_of("slow", [](Doubling& work, int set) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    work.solve(set);
  });
  const Workload workload = doubling_workload({slow, rung_of("quick", right)});
  const CaseReport report = measure(workload);
  const Measurement& sleeper = report.rungs[0];
  const Measurement& quick = report.rungs[1];
  ASSERT_EQ(sleeper.status, Status::verified) << sleeper.reason;
  ASSERT_EQ(quick.status, Status::verified) << quick.reason;
  EXPECT_GE(sleeper.summary.minimum, 10e6);
}

TEST(Measure, AllRegimesOfTheCpuAreMeasuredOnRequest) {
  const Workload workload = doubling_workload({right_rung});
  const CaseReport report = measure(workload, {.all_regimes = true});
  const auto& others = report.rungs[0].others;
  EXPECT_EQ(others.size(), 2u);
  EXPECT_TRUE(others.contains(Regime::warm));
  EXPECT_TRUE(others.contains(Regime::wall));
}

TEST(Measure, OnlyNamedRungsRun) {
  const Workload workload = doubling_workload({right_rung, rung_of("scalar", right), rung_of("vector", right)});
  const CaseReport report = measure(workload, {.only = {"scalar"}});
  ASSERT_EQ(report.rungs.size(), 1u);
  EXPECT_EQ(report.rungs[0].rung->name, "scalar");
}

TEST(Measure, UnknownRungIsRefusedWithASuggestion) {
  const Workload workload = doubling_workload({right_rung, rung_of("scalar", right)});
  expect_error(ErrorCode::bad_argument, "did you mean 'scalar'?", [&] { measure(workload, {.only = {"scalr"}}); });
}

}  // namespace
}  // namespace rafter::lab
