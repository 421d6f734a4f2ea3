// Runs every rung of every workload on every device present, over the sizes that break kernels: generated inputs,
// poisoned outputs, guard zones, aligned and misaligned arrays; on the executor under all its checkers. Tests of a
// device that is not present are skipped.
//
// The op must accept every case, unless its workload lists the refusal (Workload::op_refuses). The seed is fixed, so
// that a run repeats; RAFTER_SEED sets another. RAFTER_NIGHTLY runs what every change has no time for: every case with
// every offset on the executor, huge sizes on few cores, and a fresh seed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
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

/// The results of a rung over all cases.
struct Outcome {
  int n_verified = 0;
  std::string failures;
};

bool is_nightly() { return std::getenv("RAFTER_NIGHTLY") != nullptr; }

std::uint64_t seed() {
  static const std::uint64_t value = [] {
    const char* given = std::getenv("RAFTER_SEED");
    return given != nullptr ? std::strtoull(given, nullptr, 10) : is_nightly() ? fresh_seed() : 37;
  }();
  return value;
}

/// Every rung is a test. The first test of a workload and device runs all selected rungs of that workload and device,
/// so that each case is made once: its inputs and answers take longer than most rungs.
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
      for (const Subject& subject : selected()) outcomes[subject.rung];
      run_cases([&](const Params& params, const Stream& stream, const CaseOptions& options, const Takes& takes) {
        verify(params, stream, options, takes, outcomes);
      });
    }
    const Outcome& outcome = outcomes.at(subject_.rung);
    EXPECT_EQ(outcome.failures, "");
    if (IsSkipped()) return;
    EXPECT_GT(outcome.n_verified, 0) << "it refused every case";
  }

  using Outcomes = std::map<const Rung*, Outcome>;
  using Takes = std::function<bool(const Rung&)>;  // whether a rung takes a case
  using Verify = std::function<void(const Params&, const Stream&, const CaseOptions&, const Takes&)>;
  virtual void run_cases(const Verify& verify) = 0;

  /// Whether a rung has accepted no case so far.
  static bool refused_all(const Rung& rung) {
    const Outcomes& outcomes = outcomes_.at(testing::UnitTest::GetInstance()->current_test_suite()->name());
    const auto found = outcomes.find(&rung);
    return found != outcomes.end() && found->second.n_verified == 0;
  }

  Subject subject_;

 private:
  std::vector<Subject> selected() const {
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

  void verify(const Params& params, const Stream& stream, const CaseOptions& options, const Takes& takes,
              Outcomes& outcomes) const {
    std::unique_ptr<Case> work;
    for (auto& [rung, outcome] : outcomes) {
      if (!takes(*rung)) continue;
      if (!work) work = subject_.workload->make_case(params, stream, options);
      const Measurement m = verify_rung(*rung, *work, stream);
      const bool is_listed = refuses_by_contract(*rung, params);
      const auto fail = [&](const std::string& reason) {
        outcome.failures += fmt::format("{}, offset {}: {}\n  repeat with RAFTER_SEED={}\n", params.text(),
                                        options.offset, reason, options.seed);
      };
      if (m.status == Status::refused) {
        if (rung->role == Role::op && !is_listed)
          fail("the op refuses a case that its workload does not list: " + m.reason);
        continue;
      }
      if (is_listed) fail("the workload lists a refusal, but the op accepts the case");
      ++outcome.n_verified;
      if (m.status == Status::verified) continue;
      fail(m.reason);
      work.reset();  // the rung may have damaged the case
    }
  }

  bool refuses_by_contract(const Rung& rung, const Params& params) const {
    const auto& refuses = subject_.workload->op_refuses;
    return rung.role == Role::op && refuses && refuses(rung, params);
  }

  inline static std::map<std::string, Outcomes> outcomes_;  // by suite: the workload and device that ran last
};

class AwkwardSizes final : public Conformance {
 public:
  using Conformance::Conformance;

 private:
  void run_cases(const Verify& verify) override {
    const Stream stream = Stream::on(subject_.rung->device);
    // compute-sanitizer, too, makes a rung a hundred times slower: CONTRIBUTING.md has the command.
    const bool small = subject_.rung->device == Device::simt || std::getenv("RAFTER_SMALL_CASES") != nullptr;
    constexpr std::int64_t offsets[] = {0, 1, 3};
    std::uint64_t number = seed(), n_long = 0;
    for (const Params& params : small ? executor_cases(*subject_.workload) : subject_.workload->awkward_cases()) {
      // Small and long cases take the offsets in rotation, the others take each of them.
      const double bytes = subject_.workload->bytes_per_input_set(params);
      const bool one_offset = !is_nightly() && (small || bytes > 2e6);
      ++number;
      // On the executor the first long case runs, and the rungs of a ladder take every second of the others, adjacent
      // rungs different ones; nightly all of them.
      const bool is_sampled = small && !is_nightly();
      const bool is_long = is_sampled && bytes > 50e3;
      if (is_long && n_long++ > 0) continue;
      const auto takes = [&](const Rung& rung) {
        const auto rung_number = static_cast<std::uint64_t>(&rung - subject_.workload->rungs.data());
        return !is_sampled || is_long || rung.role == Role::op || (number + rung_number) % 2 != 0;
      };
      // A second input set shows state that a rung keeps from the first.
      const int n_input_sets = small && !is_nightly() && number % 4 != 0 ? 1 : 2;
      for (std::size_t i = 0; i < std::size(offsets); ++i) {
        if (!one_offset || i == number % std::size(offsets))
          verify(params, stream, {seed(), n_input_sets, offsets[i]}, takes);
      }
    }
    if (small && subject_.rung->device != Device::simt) verify_the_rest(verify, stream);
  }

  /// Gives rungs that refused the small cases the smallest other one that they accept.
  void verify_the_rest(const Verify& verify, const Stream& stream) {
    std::vector<Params> cases = subject_.workload->awkward_cases();
    std::stable_sort(cases.begin(), cases.end(), [&](const Params& a, const Params& b) {
      return subject_.workload->bytes_per_input_set(a) < subject_.workload->bytes_per_input_set(b);
    });
    const auto& rungs = subject_.workload->rungs;
    for (const Params& params : cases) {
      if (std::none_of(rungs.begin(), rungs.end(), refused_all)) return;
      verify(params, stream, {seed(), 1, 0}, refused_all);
    }
  }
};

// Ops on more than 2^31 elements, where memory allows.
class HugeSizes final : public Conformance {
 public:
  using Conformance::Conformance;

 private:
  void run_cases(const Verify& verify) override {
    const Stream stream = Stream::on(subject_.rung->device);
    const bool is_cpu = subject_.rung->device == Device::cpu;
    if (is_cpu && stream.n_threads() < 4 && !is_nightly())
      GTEST_SKIP() << "takes minutes on fewer than four threads: run with RAFTER_NIGHTLY=1";
    for (const Params& params : subject_.workload->huge_cases()) {
      try {
        // On a CPU the answers are in the same memory.
        n_input_sets_that_fit(*subject_.workload, params, subject_.rung->device, 1, is_cpu ? 2 : 1);
      } catch (const Error& error) {
        GTEST_SKIP() << error.what();
      }
      verify(params, stream, {seed(), 1, 1}, [](const Rung&) { return true; });
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
