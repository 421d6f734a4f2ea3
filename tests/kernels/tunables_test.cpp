// The op is correct with every alternative of every tunable. RAFTER_NIGHTLY takes more cases and a fresh seed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "executor/device/simt_device.hpp"
#include "library/core/tunable.hpp"
#include "workbench/lab/data/generate.hpp"
#include "workbench/lab/measure/verify.hpp"
#include "workbench/lab/workload/registry.hpp"

namespace rafter::lab {
namespace {

void expect_right_with_all_values(Device device) {
  const auto workloads = built_workloads();
  const bool is_nightly = std::getenv("RAFTER_NIGHTLY") != nullptr;
  const std::uint64_t seed = is_nightly ? fresh_seed() : 37;
  int n_verified = 0;
  for (const core::Tunable* tunable : core::tunables()) {
    const Workload& workload = workload_called(workloads, tunable->name().substr(0, tunable->name().find('.')));
    std::vector<Params> cases = executor_cases(workload);
    cases.resize(std::min<std::size_t>(cases.size(), is_nightly ? 8 : 3));
    for (const Rung* rung : rungs_on(workload, device)) {
      if (rung->role != Role::op || !rung->run) continue;
      for (const int value : tunable->alternatives()) {
        const core::TunedScope scope(*tunable, value);
        for (const Params& params : cases) {
          const CaseReport report =
              verify_case(workload, complete(workload, params), Stream::on(device), seed, {rung->name});
          const Measurement& m = report.rungs.front();
          EXPECT_TRUE(m.status == Status::verified || m.status == Status::refused)
              << tunable->name() << " = " << value << ", " << params.text() << ": " << m.reason;
          n_verified += m.status == Status::verified;
        }
      }
    }
  }
  EXPECT_GT(n_verified, 20);
}

TEST(Tunables, EveryValueIsRight_simt_) {
  simt::provide_device();
  expect_right_with_all_values(Device::simt);
}

// The executor's cases have fewer than eight large tiles per multiprocessor.
TEST(Tunables, LargeTilesOfScanAreRight_simt_) {
  simt::provide_device();
  const auto workloads = built_workloads();
  const Workload& scan = workload_called(workloads, "scan");
  const auto& tunables = core::tunables();
  const auto medium = std::find_if(tunables.begin(), tunables.end(), [](const core::Tunable* tunable) {
    return tunable->name() == "scan.medium_tiles_percent";
  });
  ASSERT_NE(medium, tunables.end());
  const core::TunedScope scope(**medium, 50);
  const Params params{{"n", std::int64_t{62001}}};  // more than half a tile of 12288 floats per multiprocessor
  const CaseReport report = verify_case(scan, complete(scan, params), Stream::on(Device::simt), 37, {"look_back"});
  EXPECT_EQ(report.rungs.front().status, Status::verified) << report.rungs.front().reason;
}

TEST(Tunables, EveryValueIsRight_cuda) {
  if (const auto why = why_unavailable(Device::cuda)) GTEST_SKIP() << *why;
  expect_right_with_all_values(Device::cuda);
}

}  // namespace
}  // namespace rafter::lab
