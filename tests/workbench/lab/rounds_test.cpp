// Order, input sets and duration of the rounds, with a scripted timer.
#include "workbench/lab/measure/rounds.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "doubling.hpp"
#include "scripted_timer.hpp"

namespace rafter::lab {
namespace {

class RoundsOf : public testing::Test {
 protected:
  struct Call {
    char rung;
    int set;
  };

  /// Times rungs with these one-letter names and returns their measurements.
  std::vector<Measurement> run(const std::string& names, const RoundsOptions& options = {.cap_s = 1e9, .settle_s = 0}) {
    rungs_.clear();
    for (const char name : names) {
      rungs_.push_back(
          {std::string(1, name), Device::cpu, RungKind::rung, "", "", [this, name](Case& work, const Stream&, int set) {
             if (timer_.inside) calls_.push_back({name, set});
             dynamic_cast<Doubling&>(work).solve(set);
           }});
    }
    std::vector<Measurement> measurements;
    for (const Rung& rung : rungs_) measurements.push_back({.rung = &rung});
    Doubling work(stream_, {});
    Rounds rounds(work, stream_, timer_, options);
    for (Measurement& measurement : measurements) rounds.add(measurement);
    rounds.run([this](double share) { shares_.push_back(share); });
    return measurements;
  }

  std::string order() const {
    std::string names;
    for (const Call& call : calls_) names += call.rung;
    return names;
  }

  Stream stream_ = Stream::cpu();
  ScriptedTimer timer_;
  std::vector<Rung> rungs_;
  std::vector<Call> calls_;
  std::vector<double> shares_;
};

TEST_F(RoundsOf, RungsRunInAlternatingOrder) {
  timer_.n_scripted = 12;
  run("abc");
  EXPECT_EQ(order(), "abccbaabccba");
}

TEST_F(RoundsOf, RoundsRotateTheInputSets) {
  timer_.n_scripted = 14;
  run("ab");
  ASSERT_EQ(calls_.size(), 14u);
  for (std::size_t i = 0; i < calls_.size(); ++i) {
    EXPECT_EQ(calls_[i].set, static_cast<int>(i / 2 % 3)) << "call " << i;  // equal for all rungs of a round
  }
}

TEST_F(RoundsOf, RepeatUsesAnotherInputSet) {
  timer_.n_scripted = 8;
  const Rung rung{"a", Device::cpu, RungKind::rung, "", "", [this](Case& work, const Stream&, int set) {
                    if (timer_.inside) calls_.push_back({'a', set});
                    dynamic_cast<Doubling&>(work).solve(set);
                  }};
  Doubling work(stream_, {});
  Measurement once{.rung = &rung}, repeat{.rung = &rung};
  Rounds rounds(work, stream_, timer_, {.cap_s = 1e9, .settle_s = 0});
  rounds.add(once);
  rounds.add_repeat(repeat);
  rounds.run([](double) {});
  std::vector<int> sets;
  for (const Call& call : calls_) sets.push_back(call.set);
  EXPECT_EQ(sets, (std::vector<int>{0, 1, 2, 1, 2, 0, 1, 0}));  // back and forth
}

/// A case whose results are never known, and slow to compare.
class SlowToCompare final : public Case {
 public:
  Cost cost() const override { return {}; }
  int n_input_sets() const override { return 3; }
  void prepare(int) override {}
  Comparison check(int) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    Tally tally;
    tally.take({}, 0);
    return Comparison(tally);
  }
  std::optional<std::string> changed_input() override { return std::nullopt; }
};

TEST_F(RoundsOf, HalfOfTheSlowComparisonsAreMadeForOwnRungsOnly) {
  for (const Trust trust : {Trust::own, Trust::unproved}) {
    timer_.n_calls = 0;
    timer_.n_scripted = 200;
    Rung rung{"a", Device::cpu, RungKind::rung, "", "", [](Case&, const Stream&, int) {}};
    rung.trust = trust;
    SlowToCompare work;
    Measurement m{.rung = &rung};
    Rounds rounds(work, stream_, timer_, {.cap_s = 1e9, .settle_s = 0});
    rounds.add(m);
    rounds.run([](double) {});
    ASSERT_EQ(m.samples_ns.size(), 200u);
    EXPECT_GT(m.n_verified, 50);
    if (trust == Trust::own) {
      EXPECT_LT(m.n_verified, 200);
    } else {
      EXPECT_EQ(m.n_verified, 200);
    }
  }
}

TEST_F(RoundsOf, SamplesAreTheTimersResults) {
  timer_.n_scripted = 10;
  const Measurement m = run("a")[0];
  ASSERT_EQ(m.samples_ns.size(), 10u);
  ASSERT_EQ(m.rounds.size(), 10u);
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(m.samples_ns[static_cast<std::size_t>(i)], 1000 + i);
    EXPECT_EQ(m.rounds[static_cast<std::size_t>(i)], i);
  }
  EXPECT_EQ(m.n_discarded, 0);
}

TEST_F(RoundsOf, RungThatThrowsHasAReasonAndNoStopCondition) {
  timer_.n_scripted = 10;
  const Measurement m = run("a")[0];
  EXPECT_EQ(m.status, Status::failed);
  EXPECT_EQ(m.reason, "correct at first, then failed: the script is over");
  EXPECT_EQ(m.stopped_by, "");
}

/// Returns alternating times with a median known to the given share.
std::function<double(int)> alternating(double uncertainty) {
  return [uncertainty](int call) { return 1000 * (1 + (call % 2 == 0 ? uncertainty : -uncertainty)); };
}

TEST_F(RoundsOf, SteadyRungStopsOnceItIsKnownWellEnough) {
  timer_.pause = std::chrono::milliseconds(10);
  timer_.ns = alternating(0.004);
  const Measurement m = run("a")[0];
  EXPECT_EQ(m.stopped_by, "steady");
  EXPECT_EQ(m.status, Status::verified);
  EXPECT_EQ(m.samples_ns.size(), 20u);
  EXPECT_EQ(shares_.back(), 1);
}

TEST_F(RoundsOf, UnsteadyRungStopsWhenItsTimeIsUp) {
  timer_.pause = std::chrono::milliseconds(10);
  timer_.ns = alternating(0.006);
  const Measurement m = run("a", {.cap_s = 0.3, .settle_s = 0})[0];
  EXPECT_EQ(m.stopped_by, "time");
  EXPECT_EQ(m.status, Status::verified);
  EXPECT_LE(m.samples_ns.size(), 31u);
  EXPECT_EQ(shares_.back(), 1);
}

TEST_F(RoundsOf, SteadyTimesMustLastLongEnough) {
  timer_.n_scripted = 25;
  timer_.ns = alternating(0);
  const auto start = std::chrono::steady_clock::now();
  const std::size_t n_samples = run("a", {.cap_s = 1e9, .settle_s = 0})[0].samples_ns.size();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  if (took.count() < 0.2) {  // on a busy machine they may last long enough
    EXPECT_EQ(n_samples, 25u);
  }
}

TEST_F(RoundsOf, RungGetsThreeSamplesHoweverLongTheyTake) {
  const auto measurements = run("ab", {.cap_s = 0, .settle_s = 0});
  for (const Measurement& m : measurements) {
    EXPECT_EQ(m.samples_ns.size(), 3u);
    EXPECT_EQ(m.stopped_by, "time");
  }
}

TEST_F(RoundsOf, SampleOfALowClockIsDiscardedWithItsRound) {
  timer_.n_scripted = 20;
  timer_.throttled = [](int call) { return call == 7 || call == 13; };
  const Measurement m = run("a")[0];
  EXPECT_EQ(m.n_discarded, 2);
  EXPECT_EQ(m.samples_ns.size(), 18u);
  ASSERT_EQ(m.rounds.size(), m.samples_ns.size());
  for (std::size_t i = 0; i < m.rounds.size(); ++i) {
    EXPECT_NE(m.rounds[i], 7);
    EXPECT_NE(m.rounds[i], 13);
    EXPECT_EQ(m.samples_ns[i], 1000 + m.rounds[i]);
  }
}

TEST_F(RoundsOf, AtMostAFifthIsDiscardedWhenTheClockStaysLow) {
  timer_.n_scripted = 100;
  timer_.throttled = [](int) { return true; };
  const Measurement m = run("a")[0];
  EXPECT_GE(m.n_discarded, 10);
  EXPECT_LE(m.n_discarded, 20);
  EXPECT_EQ(m.samples_ns.size(), 100u - static_cast<std::size_t>(m.n_discarded));
  ASSERT_EQ(m.rounds.size(), m.samples_ns.size());
  for (std::size_t i = 0; i < m.rounds.size(); ++i) EXPECT_EQ(m.samples_ns[i], 1000 + m.rounds[i]);
}

TEST_F(RoundsOf, DiscardedSampleIsMissingFromComparisonsOnBothSides) {
  timer_.n_scripted = 40;
  timer_.ns = [this](int call) { return (calls_.back().rung == 'a' ? 1000. : 2000.) * (1 + call / 2); };
  timer_.throttled = [](int call) { return call == 10; };  // the first of round 5, in which b goes first
  const auto measurements = run("ab");
  EXPECT_EQ(measurements[0].n_discarded, 0);
  EXPECT_EQ(measurements[1].n_discarded, 1);
  EXPECT_EQ(measurements[0].rounds.size(), 20u);
  EXPECT_EQ(measurements[1].rounds.size(), 19u);
  const Versus v = versus(measurements[0], measurements[1], 0);
  EXPECT_EQ(v.interval_low, 2);
  EXPECT_EQ(v.interval_high, 2);
}

}  // namespace
}  // namespace rafter::lab
