#include "workbench/lab/measure/stage_profile.hpp"

#include <chrono>
#include <exception>

#include "workbench/lab/measure/verify.hpp"

namespace rafter::lab {

namespace {

constexpr int most_profiles = 15;
constexpr int fewest_profiles = 3;
constexpr std::chrono::seconds profiling_time{1};  // no more than the fewest are taken after this time

/// Times the stages of a case during its lifetime.
class ScopedStages {
 public:
  ScopedStages(Case& work, core::StageClock& clock) : work_(work) { work.stages = core::Stages(clock); }
  ~ScopedStages() { work_.stages = {}; }
  ScopedStages(const ScopedStages&) = delete;
  ScopedStages& operator=(const ScopedStages&) = delete;

 private:
  Case& work_;
};

/// Returns the median of each stage over all calls.
std::vector<StageTime> medians_of(const std::vector<std::vector<StageTime>>& calls) {
  std::vector<StageTime> medians = calls.front();
  for (StageTime& stage : medians) {
    std::vector<double> samples;
    for (const auto& call : calls) {
      for (const StageTime& time : call) {
        if (time.name == stage.name) samples.push_back(time.ns);
      }
    }
    stage.ns = summarize(samples).median;
  }
  return medians;
}

std::vector<StageTime> time_stages(const Rung& rung, Case& work, const Stream& stream, Timer& timer, Regime regime,
                                   StageRecorder& recorder) {
  using Clock = std::chrono::steady_clock;
  const auto enough = Clock::now() + profiling_time;
  std::vector<std::vector<StageTime>> calls;
  for (int i = 0; i < most_profiles && (i < fewest_profiles || Clock::now() < enough); ++i) {
    timer.time_ns(regime, [&] {
      recorder.start();
      rung.run(work, stream, i % work.n_input_sets());
      recorder.stop();
    });
    calls.push_back(recorder.times());
  }
  return medians_of(calls);
}

}  // namespace

void profile_stages(Measurement& m, Case& work, const Stream& stream, Timer& timer, Regime regime) {
  const auto fail = [&](Status status, const std::string& reason) {
    m.status = status;
    m.reason = "correct before its stages were timed, but not with stage timing: " + reason;
  };
  try {
    const auto recorder = make_stage_recorder(stream);
    const ScopedStages recorded(work, *recorder);
    recorder->start();
    const Measurement checked = verify_rung(*m.rung, work, stream, {.most_sets = 1});
    if (checked.status != Status::verified) return fail(checked.status, checked.reason);
    const Regime caches = regime == Regime::cold ? Regime::cold : Regime::warm;
    m.stages = {time_stages(*m.rung, work, stream, timer, caches, *recorder)};
  } catch (const std::exception& error) {  // a rung that throws affects only itself
    fail(Status::failed, error.what());
  }
}

}  // namespace rafter::lab
