// The verdicts after child processes that crash, hang or lose the device; functions replace the processes.
#include "workbench/bench/verify.hpp"

#include <gtest/gtest.h>

#include "base/files.hpp"
#include "workbench/bench/watch.hpp"
#include "workbench/lab/expect_error.hpp"

namespace rafter::bench {

using lab::expect_error;
using nlohmann::json;

namespace {

class Verify : public testing::Test {
 protected:
  Verify() {
    job_ = {
        .watch = scratch_.path() / "watch", .results = scratch_.path() / "results", .variants = {"ref", "a", "b", "c"}};
    job_.plan.time_limit_s = 5;
    job_.plan.kernels.kernels = {"a", "b", "c"};
    job_.plan.kernels.reference_kernels = {"ref"};
  }

  /// A child in which all kernels are right until `bad`, which `fate` ends.
  StartChild until(const std::string& bad, const std::function<bool(json& results, const Guard& guard)>& fate) {
    return [=, this](const Job& job) {
      ++n_processes_;
      const Watch watch(job.watch);
      const Guard guard = watch.guard();
      json results = json::object();
      bool was_stopped = false;
      for (const std::string& kernel : job.variants) {
        guard.begins(kernel, 1);
        if (kernel == bad) {
          was_stopped = fate(results, guard);
          break;
        }
        results["verdicts"][kernel] = {{"status", "verified"}, {"reason", "1 right"}};
        guard.ended();
      }
      base::write_file(job.results, results.dump());
      return was_stopped;
    };
  }

  std::map<std::string, KernelVerdict> verdicts(const StartChild& start) { return verify_apart(job_, start); }

  base::ScratchFolder scratch_;
  Job job_;
  int n_processes_ = 0;
};

TEST_F(Verify, NeedsOneProcessForGoodKernels) {
  const auto found = verdicts(until("none", [](json&, const Guard&) { return false; }));
  EXPECT_EQ(found.size(), 4u);
  EXPECT_EQ(n_processes_, 1);
}

TEST_F(Verify, StopsAHangingKernelAndContinuesWithTheOthers) {
  const auto found = verdicts(until("b", [](json&, const Guard&) { return true; }));
  EXPECT_EQ(found.at("b").status, lab::Status::failed);
  EXPECT_EQ(found.at("b").reason, "it did not end within 5 s and was stopped");
  EXPECT_EQ(found.at("a").status, lab::Status::verified);
  EXPECT_EQ(found.at("c").status, lab::Status::verified);
  EXPECT_EQ(n_processes_, 2);
}

TEST_F(Verify, FailsOnlyTheKernelThatCrashes) {
  const auto found = verdicts(until("c", [](json&, const Guard&) { return false; }));
  EXPECT_EQ(found.at("c").status, lab::Status::failed);
  EXPECT_EQ(found.at("c").reason, "the process ended early");
  EXPECT_EQ(found.at("b").status, lab::Status::verified);
}

TEST_F(Verify, KeepsTheReasonOfAKernelThatLosesTheDevice) {
  const auto found = verdicts(until("a", [](json& results, const Guard& guard) {
    results["verdicts"]["a"] = {{"status", "FAILED"}, {"reason", "an illegal memory access"}};
    guard.ended();
    return false;
  }));
  EXPECT_EQ(found.at("a").status, lab::Status::failed);
  EXPECT_EQ(found.at("a").reason, "an illegal memory access");
  EXPECT_EQ(found.at("c").status, lab::Status::verified);
}

TEST_F(Verify, ThrowsWhenAReferenceFails) {
  expect_error(ErrorCode::bad_argument, "the reference ref: it did not end within 5 s",
               [&] { verdicts(until("ref", [](json&, const Guard&) { return true; })); });
  expect_error(ErrorCode::bad_argument, "the references disagree", [&] {
    verdicts(until("ref", [](json& results, const Guard& guard) {
      guard.ended();
      results["error"] = "the references disagree";
      return false;
    }));
  });
}

}  // namespace
}  // namespace rafter::bench
