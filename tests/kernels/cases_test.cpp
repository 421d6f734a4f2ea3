// The cases of every workload, as `rafter run` completes them: parameters that may be left out have their defaults.
#include <gtest/gtest.h>

#include "workbench/lab/measure/verify.hpp"
#include "workbench/lab/workload/registry.hpp"

namespace rafter::lab {
namespace {

TEST(Cases, StandardOnesHaveAllParameters) {
  for (const Workload* workload : built_workloads()) {
    for (const Device device : {Device::cpu, Device::cuda}) {
      for (const Effort effort : {Effort::quick, Effort::normal}) {
        for (const Params& params : workload->standard_cases(device, effort)) {
          const Params whole = complete(*workload, params);
          EXPECT_NO_THROW(EXPECT_GT(workload->bytes_per_input_set(whole), 0)) << workload->name << " " << whole.text();
        }
      }
    }
  }
}

TEST(Cases, AreMadeFromCompletedParameters) {
  for (const Workload* workload : built_workloads()) {
    const Params params = complete(*workload, executor_cases(*workload).front());
    EXPECT_NO_THROW(workload->make_case(params, Stream::cpu(), {37, 1, 0})) << workload->name << " " << params.text();
  }
}

}  // namespace
}  // namespace rafter::lab
