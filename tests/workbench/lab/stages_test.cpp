// Stages: how rungs announce them, and their times.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "expect_error.hpp"
#include "library/core/cpu/threads.hpp"
#include "library/core/stage_ticks.hpp"
#include "stage_names.hpp"
#include "workbench/lab/cases/case_arrays.hpp"
#include "workbench/lab/cases/ladder.hpp"
#include "workbench/lab/machine/stage_recorder.hpp"

namespace rafter::lab {
namespace {

void sleep_ms(int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }

// ---- the recorder ----

class Recorder : public testing::Test {
 protected:
  template <class Call>
  std::vector<StageTime> times_of(const Call& call) {
    recorder_->start();
    call(core::Stages(*recorder_));
    recorder_->stop();
    return recorder_->times();
  }

  std::unique_ptr<StageRecorder> recorder_ = make_stage_recorder(Stream::cpu());
};

TEST_F(Recorder, StageEndsWhereTheNextBegins) {
  const auto times = times_of([](core::Stages stages) {
    stages.begin("first");
    sleep_ms(4);
    stages.begin("second");
    sleep_ms(1);
  });
  ASSERT_EQ(stage_names(times), (StageNames{"first", "second"}));
  EXPECT_GE(times[0].ns, 4e6);
  EXPECT_GE(times[1].ns, 1e6);
}

TEST_F(Recorder, StagesOfOneNameAreAddedUp) {
  const auto times = times_of([](core::Stages stages) {
    for (int layer = 0; layer < 3; ++layer) {
      stages.begin("message");
      sleep_ms(1);
      stages.begin("update");
    }
  });
  ASSERT_EQ(stage_names(times), (StageNames{"message", "update"}));
  EXPECT_GE(times[0].ns, 3e6);
}

TEST_F(Recorder, CallWithoutStagesHasNone) {
  EXPECT_TRUE(times_of([](core::Stages) { sleep_ms(1); }).empty());
}

TEST_F(Recorder, StartDiscardsTheCallBefore) {
  times_of([](core::Stages stages) {
    stages.begin("old");
    stages.begin_fused({"a", "b"})[1] = 1000;
  });
  const auto times = times_of([](core::Stages stages) { stages.begin_fused({"c", "d"})[0] = 1; });
  ASSERT_EQ(stage_names(times), (StageNames{"c", "d"}));
  EXPECT_EQ(times[1].ns, 0);
}

TEST_F(Recorder, FusedStagesDivideTheirTimeByTheWorkersCounters) {
  const auto times = times_of([](core::Stages stages) {
    stages.begin("before");
    core::StageCounters counters = stages.begin_fused({"radial", "message", "unused"});
    counters[0] += 300;
    counters[1] += 100;
    sleep_ms(2);
    counters = stages.begin_fused({"message", "radial"});  // another kernel
    counters[0] += 5;
    sleep_ms(4);
  });
  ASSERT_EQ(stage_names(times), (StageNames{"before", "radial", "message", "unused"}));
  EXPECT_GE(times[1].ns, 1.5e6);
  EXPECT_GE(times[2].ns, 4.5e6);
  EXPECT_EQ(times[3].ns, 0);
}

TEST_F(Recorder, ThreadsCountTogether) {
  const auto times = times_of([](core::Stages stages) {
    const core::StageCounters counters = stages.begin_fused({"long", "short"});
    core::run_parts(2, [&](int) {
      core::StageTicks ticks(counters);
      ticks.begin(0);
      sleep_ms(8);
      ticks.begin(1);
      sleep_ms(1);
    });
  });
  ASSERT_EQ(times.size(), 2u);
  EXPECT_GT(times[0].ns, 0);
  EXPECT_GT(times[1].ns, 0);
  EXPECT_GE(times[0].ns + times[1].ns, 9e6);  // the stage lasts as long as one thread sleeps
}

TEST_F(Recorder, StageThatIsNotEndedIsAnError) {
  expect_error(ErrorCode::device_failure, "the stage 'left' was begun but not ended", [&] {
    times_of([](core::Stages stages) { stages.begin_fused({"left", "right"})[0] -= 12345; });
  });
}

TEST_F(Recorder, RefusesMoreStagesThanItHasCounters) {
  expect_error(ErrorCode::unsupported, "more than 1024 counters", [&] {
    times_of([](core::Stages stages) {
      for (int i = 0; i < 513; ++i) stages.begin_fused({"a", "b"});
    });
  });
}

TEST(Stages, DoNothingWithoutAClock) {
  const core::Stages stages;
  stages.begin("ignored");
  EXPECT_EQ(stages.begin_fused({"a", "b"}), nullptr);
  core::StageTicks ticks(nullptr);
  ticks.begin(0);
}

// ---- from the case to the rung ----

struct StagedArgs {
  float* out;
  core::Stages stages{};
};

class StagedCase final : public CaseFor<StagedArgs> {
 public:
  using CaseFor<StagedArgs>::CaseFor;
  Cost cost() const override { return {}; }
  StagedArgs args(int) override { return {out_.data()}; }

 private:
  Comparison compare_results(int) const override {
    return compare_elements<float>(out_.on_host(), [](std::int64_t) { return 1.f; });
  }
  Output<float> out_{*this, "out", 1};
};

constexpr core::Rung<StagedArgs> staged{[](const Stream&, const StagedArgs& args) {
  args.stages.begin("only");
  *args.out = 1;
}};

TEST_F(Recorder, ArgsReceiveTheStagesOfTheCase) {
  const Stream stream = Stream::cpu();
  StagedCase work(stream, {});
  const RunRung run = run_of(staged);
  EXPECT_TRUE(times_of([&](core::Stages) { run(work, stream, 0); }).empty());
  const auto times = times_of([&](core::Stages stages) {
    work.stages = stages;
    run(work, stream, 0);
  });
  EXPECT_EQ(stage_names(times), StageNames{"only"});
}

}  // namespace
}  // namespace rafter::lab
