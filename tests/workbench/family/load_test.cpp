// Checks that a contract is complete before a command uses it.
#include "workbench/family/load.hpp"

#include <gtest/gtest.h>

namespace rafter::family {
namespace {

lab::Workload whole() {
  lab::Workload workload;
  workload.name = "mine";
  workload.rungs = {{"plain", Device::cpu, lab::RungKind::rung, "", ""},
                    {"plain", Device::cuda, lab::RungKind::rung, "", ""}};
  workload.parameters = {{"n", "elements", std::int64_t{1}, true},
                         {"mode", "how", std::string("a"), false, {"a", "b"}}};
  workload.standard_cases = [](Device, lab::Effort) { return std::vector<lab::Params>{}; };
  workload.awkward_cases = [] { return std::vector<lab::Params>{}; };
  workload.make_case = [](const lab::Params&, const Stream&, const lab::CaseOptions&) -> std::unique_ptr<lab::Case> {
    return nullptr;
  };
  workload.bytes_per_input_set = [](const lab::Params&) { return 1.; };
  return workload;
}

std::string lack_after(void (*spoil)(lab::Workload&)) {
  lab::Workload workload = whole();
  spoil(workload);
  return missing_part(workload).value_or("nothing");
}

TEST(Contract, ReportsMissingParts) {
  EXPECT_EQ(lack_after([](lab::Workload&) {}), "nothing");
  EXPECT_EQ(lack_after([](lab::Workload& w) { w.name = ""; }), "has no name");
  EXPECT_EQ(lack_after([](lab::Workload& w) { w.rungs.clear(); }), "has no rungs");
  EXPECT_EQ(lack_after([](lab::Workload& w) { w.make_case = nullptr; }), "has no make_case");
  EXPECT_EQ(lack_after([](lab::Workload& w) { w.awkward_cases = nullptr; }), "has no awkward_cases");
  EXPECT_EQ(lack_after([](lab::Workload& w) { w.rungs.push_back(w.rungs.front()); }), "has two rungs 'plain' for cpu");
  EXPECT_EQ(lack_after([](lab::Workload& w) { w.parameters[1].choices.clear(); }),
            "has a parameter 'mode' of words without choices");
}

}  // namespace
}  // namespace rafter::family
