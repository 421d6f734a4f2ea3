// Planted faults must be caught, and correct rungs must pass.
#include "workbench/lab/measure/verify.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "doubling.hpp"
#include "expect_error.hpp"
#include "workbench/lab/machine/machine.hpp"

namespace rafter::lab {
namespace {

Measurement verify(const Run& run) {
  const Stream stream = Stream::cpu();
  Doubling work(stream, {});
  static Rung rung;  // the measurement points to it
  rung = rung_of("tested", run);
  return verify_rung(rung, work, stream);
}

TEST(Verify, CorrectRungIsVerified) {
  const Measurement m = verify(right);
  EXPECT_EQ(m.status, Status::verified);
  EXPECT_EQ(m.reason, "1000 correct, errors up to 0 of the allowed error");
}

TEST(Verify, WrongElementIsWrong) {
  const Measurement m = verify([](Doubling& work, int set) {
    work.solve(set);
    work.out.data()[17] += 1;
  });
  EXPECT_EQ(m.status, Status::wrong);
  EXPECT_NE(m.reason.find("1 of 1000 wrong, first at [17]"), std::string::npos) << m.reason;
}

TEST(Verify, RungThatDoesNothingIsWrong) {
  EXPECT_EQ(verify([](Doubling&, int) {}).status, Status::wrong);
}

TEST(Verify, UnwrittenTailIsWrong) {
  const Measurement m = verify([](Doubling& work, int set) { work.solve(set, Doubling::n - 1); });
  EXPECT_EQ(m.status, Status::wrong);
  EXPECT_NE(m.reason.find("[999]"), std::string::npos) << m.reason;
}

TEST(Verify, AnswerLeftFromAnEarlierRunIsWrong) {
  bool ran = false;
  const Measurement m = verify([&ran](Doubling& work, int) {
    if (!ran) work.solve(0);
    ran = true;
  });
  EXPECT_EQ(m.status, Status::wrong);
}

TEST(Verify, AnswerLeftByAnotherRungIsWrong) {
  const Stream stream = Stream::cpu();
  Doubling work(stream, {.n_input_sets = 1});
  ASSERT_EQ(verify_rung(right_rung, work, stream).status, Status::verified);
  const Rung idle = rung_of("idle", [](Doubling&, int) {});
  EXPECT_EQ(verify_rung(idle, work, stream).status, Status::wrong);
}

TEST(Verify, AnswerForAnotherInputSetIsWrong) {
  EXPECT_EQ(verify([](Doubling& work, int) { work.solve(0); }).status, Status::wrong);
}

TEST(Verify, NanAnswerIsWrong) {
  const Measurement m = verify([](Doubling& work, int set) {
    work.solve(set);
    work.out.data()[3] = std::nanf("");
  });
  EXPECT_EQ(m.status, Status::wrong);
}

TEST(Verify, ChangedInputIsWrong) {
  const Measurement m = verify([](Doubling& work, int set) {
    work.solve(set);
    const_cast<float*>(work.in.span(set).data())[5] += 1;
  });
  EXPECT_EQ(m.status, Status::wrong);
  EXPECT_NE(m.reason.find("in was changed at [5]"), std::string::npos) << m.reason;
}

TEST(Verify, WriteBeforeTheInputIsWrong) {
  const Measurement m = verify([](Doubling& work, int set) {
    work.solve(set);
    const_cast<float*>(work.in.span(set).data())[-1] = 0;
  });
  EXPECT_EQ(m.status, Status::wrong);
}

TEST(Verify, WritePastTheEndIsWrong) {
  const Measurement m = verify([](Doubling& work, int set) {
    work.solve(set);
    work.out.data()[Doubling::n] = 0;
  });
  EXPECT_EQ(m.status, Status::wrong);
  EXPECT_NE(m.reason.find("past the end"), std::string::npos) << m.reason;
}

/// Returns the verdict on a correct rung after another one ran on the same case.
Measurement verify_correct_rung_after(const Run& earlier) {
  const Stream stream = Stream::cpu();
  Doubling work(stream, {});
  const Rung rung = rung_of("earlier", earlier);
  EXPECT_EQ(verify_rung(rung, work, stream).status, Status::wrong);
  return verify_rung(right_rung, work, stream);
}

TEST(Verify, DamagedGuardZoneIsNotBlamedOnTheNextRung) {
  const Measurement m = verify_correct_rung_after([](Doubling& work, int set) {
    work.solve(set);
    work.out.data()[Doubling::n] = 0;
  });
  EXPECT_EQ(m.status, Status::verified) << m.reason;
}

TEST(Verify, ChangedInputsAreNotBlamedOnTheNextRung) {
  const Measurement m = verify_correct_rung_after([](Doubling& work, int set) {
    work.solve(set);
    const_cast<float*>(work.in.span(set).data())[5] += 1;
  });
  EXPECT_EQ(m.status, Status::verified) << m.reason;
}

TEST(Verify, InputChangedByAWrongRungIsNotBlamedOnTheNextRung) {
  const Measurement m =
      verify_correct_rung_after([](Doubling& work, int set) { const_cast<float*>(work.in.span(set).data())[5] += 1; });
  EXPECT_EQ(m.status, Status::verified) << m.reason;
}

TEST(Verify, UnsupportedIsARefusalWithItsReason) {
  const Measurement m = verify([](Doubling&, int) { throw Error(ErrorCode::unsupported, "needs sm_90"); });
  EXPECT_EQ(m.status, Status::refused);
  EXPECT_EQ(m.reason, "needs sm_90");
}

TEST(Verify, DeviceFailureIsAFailure) {
  const Measurement m = verify([](Doubling&, int) { throw Error(ErrorCode::device_failure, "illegal address"); });
  EXPECT_EQ(m.status, Status::failed);
  EXPECT_EQ(m.reason, "illegal address");
}

TEST(Verify, RungWithNothingToRunIsAbsent) {
  const Stream stream = Stream::cpu();
  Doubling work(stream, {});
  const Rung absent{"absent", Device::cpu, RungKind::rung, "", ""};
  EXPECT_EQ(verify_rung(absent, work, stream).status, Status::absent);
}

TEST(InputSets, AreAsManyAsWantedWhenMemoryIsPlenty) {
  Workload workload = doubling_workload({});
  workload.bytes_per_input_set = [](const Params&) { return 1000.; };
  EXPECT_EQ(n_input_sets_that_fit(workload, {}, Device::cpu, 3), 3);
}

TEST(InputSets, AreFewerWhenMemoryIsShort) {
  Workload workload = doubling_workload({});
  const double third = 0.3 * static_cast<double>(available_bytes(Device::cpu));
  workload.bytes_per_input_set = [third](const Params&) { return third; };
  EXPECT_EQ(n_input_sets_that_fit(workload, {}, Device::cpu, 3), 2);
}

TEST(InputSets, WithoutBytesAlwaysFit) {
  Workload workload = doubling_workload({});
  workload.bytes_per_input_set = [](const Params&) { return 0.; };
  EXPECT_EQ(n_input_sets_that_fit(workload, {}, Device::cpu, 3), 3);
}

TEST(InputSets, RefuseSizesBeyondTheMemory) {
  Workload workload = doubling_workload({});
  workload.bytes_per_input_set = [](const Params&) { return 1e18; };
  expect_error(ErrorCode::out_of_memory, "needs 1000 PB", [&] {
    n_input_sets_that_fit(workload, {{"n", std::int64_t{1}}}, Device::cpu, 3);
  });
}

}  // namespace
}  // namespace rafter::lab
