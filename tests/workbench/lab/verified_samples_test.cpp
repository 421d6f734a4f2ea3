// Each timed call is prepared in a way that no rung can foresee, and verified.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <map>
#include <set>

#include "measuring.hpp"
#include "scripted_timer.hpp"

namespace rafter::lab {
namespace {

class VerifiedSamples : public testing::Test {
 protected:
  static constexpr int n_samples = 30;

  /// Times a rung 30 times and returns its measurement. The end of the script ends a rung that is still right.
  Measurement time(const lab::Run& run, bool is_renewable = false) {
    Rung rung = rung_of("tested", run);
    rung.trust = Trust::unproved;  // each sample is compared, however long that takes
    Doubling work(stream_, {});
    work.is_renewable = is_renewable;
    timer_.n_scripted = n_samples;
    timer_.ns = [](int call) { return std::ldexp(1000., call); };  // never steady, however slow the machine
    Measurement m{.rung = &rung};
    Rounds rounds(work, stream_, timer_, {.cap_s = 1e9, .settle_s = 0});
    rounds.add(m);
    rounds.run([](double) {});
    m.rung = nullptr;
    return m;
  }

  static bool is_right_to_the_end(const Measurement& m) { return m.reason.ends_with("the script is over"); }

  const Stream stream_ = Stream::cpu();
  ScriptedTimer timer_;
};

TEST_F(VerifiedSamples, OneWrongCallIsEnough) {
  for (const int wrong_call : {1, 2, 11, 30}) {
    timer_.n_calls = 0;
    int n_timed = 0;
    const Measurement m = time([&](Doubling& work, int set) {
      if (!timer_.inside || ++n_timed != wrong_call) work.solve(set);
    });
    EXPECT_EQ(m.status, Status::wrong) << wrong_call;
    EXPECT_NE(m.reason.find("wrong in round " + std::to_string(wrong_call - 1)), std::string::npos) << m.reason;
    EXPECT_EQ(m.n_verified, wrong_call - 1);
  }
  timer_.n_calls = 0;
  const Measurement m = time([](Doubling& work, int set) { work.solve(set); });
  EXPECT_TRUE(is_right_to_the_end(m)) << m.reason;
  EXPECT_EQ(m.n_verified, n_samples);
}

TEST_F(VerifiedSamples, WorkThatIsDoneOnlyOnTheOldPoisonIsWrong) {
  const Measurement m = time([&](Doubling& work, int set) {
    const bool is_poisoned = std::isnan(work.out.data()[0]) && std::isnan(work.out.data()[1]);
    if (is_poisoned || !timer_.inside) work.solve(set);
  });
  EXPECT_EQ(m.status, Status::wrong);
}

TEST_F(VerifiedSamples, OutputsHoldOtherBitsInEachCall) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
  time([&](Doubling& work, int set) {
    if (timer_.inside)
      seen.emplace(std::bit_cast<std::uint32_t>(work.out.data()[0]), std::bit_cast<std::uint32_t>(work.out.data()[1]));
    work.solve(set);
  });
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(n_samples));
}

TEST_F(VerifiedSamples, NewInputsLeaveNothingToReplay) {
  for (const bool is_renewable : {false, true}) {
    timer_.n_calls = 0;
    std::map<std::pair<float, float>, std::vector<float>> kept;  // answers by the first two elements
    int n_timed_replays = 0;
    const Measurement m = time(
        [&](Doubling& work, int set) {
          std::vector<float>& answers = kept[{work.in.span(set)[0], work.in.span(set)[1]}];
          if (answers.empty()) {
            work.solve(set);
            answers.assign(work.out.data(), work.out.data() + Doubling::n);
          } else {
            std::copy(answers.begin(), answers.end(), work.out.data());
            n_timed_replays += timer_.inside ? 1 : 0;
          }
        },
        is_renewable);
    EXPECT_TRUE(is_right_to_the_end(m)) << m.reason;
    EXPECT_EQ(n_timed_replays, n_samples - m.n_fresh);
    EXPECT_EQ(m.n_fresh > 0, is_renewable);  // the inputs of the first round are new in any case
  }
}

TEST_F(VerifiedSamples, InputChangedBeforeItIsRenewedIsFound) {
  const Rung rung = rung_of("scribbles", [&](Doubling& work, int set) {
    work.solve(set);
    if (timer_.n_calls == 0 && timer_.inside) const_cast<float*>(work.in.span(set).data())[5] += 1;
  });
  Doubling work(Stream::cpu(), {});
  work.is_renewable = true;
  work.prepare_timed(0, 1);
  timer_.time_ns(Regime::cold, [&] { rung.run(work, Stream::cpu(), 0); });
  EXPECT_TRUE(work.renew(0, 2));
  EXPECT_EQ(work.changed_input(), "in was changed at [5]");
}

// In the warm regime the timed call follows another one on the same inputs.
TEST(OtherRegimes, AreVerified) {
  Phase phase;
  int last = -1;
  const Workload workload = doubling_workload({rung_of("skips", [&](Doubling& work, int set) {
    if (!phase.over || set != last) work.solve(set);
    last = set;
  })});
  const CaseReport report = measure(workload, {.all_regimes = true}, boundless_roofs, phase.watch());
  EXPECT_EQ(report.rungs[0].status, Status::wrong);
  EXPECT_NE(report.rungs[0].reason.find("wrong in regime warm"), std::string::npos) << report.rungs[0].reason;
}

}  // namespace
}  // namespace rafter::lab
