#include "workbench/lab/measure/report.hpp"

#include <gtest/gtest.h>

#include "doubling.hpp"

namespace rafter::lab {
namespace {

Measurement timed(const Rung& rung, double median_ns) {
  return {.rung = &rung, .summary = {.n = 9, .median = median_ns}};
}

TEST(CaseReport, OpIsTheLastVerifiedOwnRung) {
  const Rung peer = rung_of("peer", right, RungKind::peer);
  CaseReport report{.rungs = {timed(right_rung, 5), timed(right_rung, 7), timed(right_rung, 1), timed(peer, 1)}};
  report.rungs[2].status = Status::wrong;
  EXPECT_EQ(report.op(), &report.rungs[1]);
}

TEST(CaseReport, BestPeerIsTheFastestVerifiedOne) {
  const Rung peer = rung_of("peer", right, RungKind::peer);
  CaseReport report{.rungs = {timed(right_rung, 1), timed(peer, 9), timed(peer, 3), timed(peer, 5), timed(peer, 2)}};
  report.rungs[4].status = Status::implausible;
  EXPECT_EQ(report.best_peer(), &report.rungs[2]);
}

TEST(CaseReport, WithoutVerifiedRungsHasNeitherOpNorPeer) {
  CaseReport report{.rungs = {timed(right_rung, 1)}};
  report.rungs[0].status = Status::refused;
  EXPECT_EQ(report.op(), nullptr);
  EXPECT_EQ(report.best_peer(), nullptr);
}

TEST(CaseReport, FailedAndImplausibleRungsAreWrongToo) {
  for (const auto& [status, is_wrong] :
       {std::pair{Status::verified, false}, std::pair{Status::refused, false}, std::pair{Status::absent, false},
        std::pair{Status::wrong, true}, std::pair{Status::failed, true}, std::pair{Status::implausible, true},
        std::pair{Status::suspicious, true}}) {
    CaseReport report{.rungs = {timed(right_rung, 1)}};
    report.rungs[0].status = status;
    EXPECT_EQ(report.any_wrong(), is_wrong) << name(status);
  }
}

}  // namespace
}  // namespace rafter::lab
