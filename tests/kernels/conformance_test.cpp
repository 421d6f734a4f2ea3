// Every rung of every workload, on every device present, over the sizes that break kernels: fresh inputs, poisoned
// outputs, guard zones, aligned and off alignment; on the executor under all its checkers. A device that is not there
// is reported as skipped.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <map>

#include "executor/device/simt_device.hpp"
#include "rafter/error.hpp"
#include "workbench/lab/data/generate.hpp"
#include "workbench/lab/measure/verify.hpp"
#include "workbench/lab/workload/registry.hpp"

namespace rafter::lab {
namespace {

struct Subject {
  const Workload* workload;
  const Rung* rung;

  std::string name() const { return workload->name + "_" + std::string(rafter::name(rung->device)) + "_" + rung->name; }
};

/// What a rung's cases brought.
struct Outcome {
  int n_verified = 0;
  std::string complaints;
};

std::uint64_t seed() {
  static const std::uint64_t value = [] {
    const char* given = std::getenv("RAFTER_SEED");
    return given != nullptr ? std::strtoull(given, nullptr, 10) : fresh_seed();
  }();
  return value;
}

/// Every rung is a test. The first one to run tries all that were asked for of its workload and device: a case, whose
/// inputs and answers take longer than most rungs, is made once for all of them.
class Conformance : public testing::Test {
 public:
  explicit Conformance(Subject subject) : subject_(subject) {}

 protected:
  void SetUp() override {
    if (const auto reason = why_unavailable(subject_.rung->device)) GTEST_SKIP() << *reason;
    if (!subject_.rung->run) GTEST_SKIP() << "its library is not in this build";
  }

  void TestBody() override {
    auto& outcomes = outcomes_[testing::UnitTest::GetInstance()->current_test_suite()->name()];
    if (!outcomes.contains(subject_.rung)) {
      outcomes.clear();
      for (const Subject& subject : asked_for()) outcomes[subject.rung];
      run_cases([&](const Params& params, const Stream& stream, const CaseOptions& options) {
        verify(params, stream, options, outcomes);
      });
    }
    const Outcome& outcome = outcomes.at(subject_.rung);
    EXPECT_EQ(outcome.complaints, "");
    if (IsSkipped()) return;
    EXPECT_GT(outcome.n_verified, 0) << "it refused every case";
  }

  using Outcomes = std::map<const Rung*, Outcome>;
  using Verify = std::function<void(const Params&, const Stream&, const CaseOptions&)>;
  virtual void run_cases(const Verify& verify) = 0;

  Subject subject_;

 private:
  std::vector<Subject> asked_for() const {
    const auto& suite = *testing::UnitTest::GetInstance()->current_test_suite();
    std::vector<Subject> subjects;
    for (const Rung& rung : subject_.workload->rungs) {
      const Subject subject{subject_.workload, &rung};
      if (rung.device != subject_.rung->device || !rung.run) continue;
      for (int i = 0; i < suite.total_test_count(); ++i) {
        const auto& test = *suite.GetTestInfo(i);
        if (test.name() == subject.name() && test.should_run()) subjects.push_back(subject);
      }
    }
    return subjects;
  }

  void verify(const Params& params, const Stream& stream, const CaseOptions& options, Outcomes& outcomes) const {
    std::unique_ptr<Case> work;
    for (auto& [rung, outcome] : outcomes) {
      if (!work) work = subject_.workload->make_case(params, stream, options);
      const Measurement m = verify_rung(*rung, *work, stream);
      if (m.status == Status::refused) continue;
      ++outcome.n_verified;
      if (m.status == Status::verified) continue;
      outcome.complaints += fmt::format("{}, offset {}: {}\n  again with RAFTER_SEED={}\n", params.text(),
                                        options.offset, m.reason, options.seed);
      work.reset();  // it may have damaged the case
    }
  }

  inline static std::map<std::string, Outcomes> outcomes_;  // of the workload and device that ran last, by suite
};

class AwkwardSizes final : public Conformance {
 public:
  using Conformance::Conformance;

 private:
  void run_cases(const Verify& verify) override {
    const Stream stream = Stream::on(subject_.rung->device);
    // Under a sanitizer, too, a rung is a hundred times slower: CONTRIBUTING.md has the command.
    const bool small = subject_.rung->device == Device::simt || std::getenv("RAFTER_SMALL_CASES") != nullptr;
    constexpr std::int64_t offsets[] = {0, 1, 3};
    std::uint64_t turn = seed(), n_long = 0;
    for (const Params& params : small ? executor_cases(*subject_.workload) : subject_.workload->awkward_cases()) {
      // There, and where it is long, a case lies one way, its neighbours another, and in the next run again another.
      const bool one_way = small || subject_.workload->bytes_per_input_set(params) > 2e6;
      ++turn;
      // Of its long cases there the first is tried, and of the others every second one, in the next run perhaps the
      // rest.
      const bool is_long = small && subject_.workload->bytes_per_input_set(params) > 50e3;
      if (is_long && n_long++ > 0 && (n_long + seed()) % 2 == 0) continue;
      // A second input set shows what a rung keeps of the first: there in every fourth case.
      const int n_input_sets = small && turn % 4 != 0 ? 1 : 2;
      for (std::size_t i = 0; i < std::size(offsets); ++i) {
        if (!one_way || i == turn % std::size(offsets)) verify(params, stream, {seed(), n_input_sets, offsets[i]});
      }
    }
  }
};

// Offsets past 2^31 elements, on the ops and where memory allows.
class HugeSizes final : public Conformance {
 public:
  using Conformance::Conformance;

 private:
  void run_cases(const Verify& verify) override {
    const Stream stream = Stream::on(subject_.rung->device);
    const bool is_cpu = subject_.rung->device == Device::cpu;
    if (is_cpu && stream.n_threads() < 4) GTEST_SKIP() << "too long for fewer than four threads";
    for (const Params& params : subject_.workload->huge_cases()) {
      try {
        // On a CPU the answers lie in the same memory.
        n_input_sets_that_fit(*subject_.workload, params, subject_.rung->device, 1, is_cpu ? 2 : 1);
      } catch (const Error& error) {
        GTEST_SKIP() << error.what();
      }
      verify(params, stream, {seed(), 1, 1});
    }
  }
};

template <class Body>
void add(const char* suite, const Subject& subject) {
  testing::RegisterTest(suite, subject.name().c_str(), nullptr, nullptr, __FILE__, __LINE__,
                        [subject]() -> Conformance* { return new Body(subject); });
}

void add_all() {
  for (const Workload* workload : built_workloads()) {
    for (const Rung& rung : workload->rungs) {
      add<AwkwardSizes>("AwkwardSizes", {workload, &rung});
      if (rung.role == Role::op && rung.device != Device::simt) add<HugeSizes>("HugeSizes", {workload, &rung});
    }
  }
}

}  // namespace
}  // namespace rafter::lab

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  rafter::simt::provide_device();
  rafter::lab::add_all();
  return RUN_ALL_TESTS();
}
