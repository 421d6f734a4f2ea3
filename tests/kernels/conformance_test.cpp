// Every rung of every workload, on every device present, over the sizes that break kernels: fresh inputs, poisoned
// outputs, guard zones, aligned and off alignment; on the executor under all its checkers. A device that is not there
// is reported as skipped.
#include <gtest/gtest.h>

#include <cstdlib>

#include "lab/data/generate.hpp"
#include "lab/measure/verify.hpp"
#include "lab/workload/registry.hpp"
#include "rafter/error.hpp"
#include "simt/device/simt_device.hpp"

namespace rafter::lab {
namespace {

struct Subject {
  const Workload* workload;
  const Rung* rung;
};

std::uint64_t seed() {
  static const std::uint64_t value = [] {
    const char* given = std::getenv("RAFTER_SEED");
    return given != nullptr ? std::strtoull(given, nullptr, 10) : fresh_seed();
  }();
  return value;
}

class Conformance : public testing::Test {
 public:
  explicit Conformance(Subject subject) : subject_(subject) {}

 protected:
  void SetUp() override {
    if (const auto reason = why_unavailable(subject_.rung->device)) GTEST_SKIP() << *reason;
    if (!subject_.rung->run) GTEST_SKIP() << "its library is not in this build";
  }

  void verify(const Params& params, const Stream& stream, const CaseOptions& options) {
    const auto work = subject_.workload->make_case(params, stream, options);
    const Measurement m = verify_rung(*subject_.rung, *work, stream);
    if (m.status == Status::refused) return;
    ++n_verified_;
    EXPECT_EQ(m.status, Status::verified) << params.text() << ", offset " << options.offset << ": " << m.reason
                                          << "\n  again with RAFTER_SEED=" << options.seed;
  }

  void TearDown() override {
    if (IsSkipped() || HasFailure()) return;
    EXPECT_GT(n_verified_, 0) << "it refused every case";
  }

  Subject subject_;
  int n_verified_ = 0;
};

class AwkwardSizes final : public Conformance {
 public:
  using Conformance::Conformance;
  void TestBody() override {
    const Stream stream = Stream::on(subject_.rung->device);
    const Workload& workload = *subject_.workload;
    // Under a sanitizer, too, a rung is a hundred times slower: CONTRIBUTING.md has the command.
    const bool small = subject_.rung->device == Device::simt || std::getenv("RAFTER_SMALL_CASES") != nullptr;
    std::int64_t index = 0;
    for (const Params& params : small ? executor_cases(workload) : workload.awkward_cases()) {
      // There, too, one of the two ways to be off alignment is enough for a case: the next one may get the other.
      const std::int64_t left_out = small ? 1 + 2 * random_below(seed(), index++, 2) : -1;
      for (const std::int64_t offset : {0, 1, 3}) {
        if (offset != left_out) verify(params, stream, {seed(), 2, offset});
      }
    }
  }
};

// Offsets past 2^31 elements, on the ops and where memory allows.
class HugeSizes final : public Conformance {
 public:
  using Conformance::Conformance;
  void TestBody() override {
    const Stream stream = Stream::on(subject_.rung->device);
    const bool is_cpu = subject_.rung->device == Device::cpu;
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
  const std::string name =
      subject.workload->name + "_" + std::string(rafter::name(subject.rung->device)) + "_" + subject.rung->name;
  testing::RegisterTest(suite, name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
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
