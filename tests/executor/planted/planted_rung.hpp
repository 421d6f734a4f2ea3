// Runs rungs with planted faults as the conformance test runs the correct ones.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "executor/device/simt_device.hpp"
#include "library/core/stream/backend.hpp"
#include "rafter/error.hpp"
#include "workbench/lab/workload/registry.hpp"

namespace rafter {

/// Returns the fault of the planted kernels, test::chosen_fault.
int fault();

namespace test {

inline int chosen_fault = 0;  // none

/// The outcome of a run: the checkers' findings, and whether the results are correct.
struct Found {
  std::string complaints{};
  bool is_right = true;
};

/// Runs a case of a workload with the given fault.
template <class Args, class PlantedRung>
Found run_planted(const std::string& family, const PlantedRung& rung, const lab::Params& params, int fault) {
  rafter::simt::provide_device();
  const std::vector<const lab::Workload*> workloads = lab::built_workloads();
  const lab::Workload& workload = lab::workload_called(workloads, family);
  const Stream stream = Stream::on(Device::simt);
  const auto work = workload.make_case(complete(workload, params), stream, {.seed = 1, .n_input_sets = 1});
  const lab::RunRung call =
      workload.adopt(lab::RungFunction<Args>([&](const Stream& on, const Args& args) { rung(on, args); }));
  chosen_fault = fault;
  Found found;
  try {
    call(*work, stream, 0);
    found.is_right = work->check(0).ok();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::device_failure) << error.what();
  }
  found.complaints = core::backend(Device::simt).take_findings().value_or("");
  return found;
}

inline void expect_clean(const Found& found) {
  EXPECT_EQ(found.complaints, "");
  EXPECT_TRUE(found.is_right);
}

inline void expect_found(const Found& found, const std::string& what, const std::string& file) {
  EXPECT_NE(found.complaints.find(what), std::string::npos) << what << " is not in:\n" << found.complaints;
  EXPECT_NE(found.complaints.find(file), std::string::npos) << found.complaints;
}

}  // namespace test
}  // namespace rafter
