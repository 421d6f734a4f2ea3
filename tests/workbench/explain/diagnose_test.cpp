#include "workbench/explain/diagnose.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "made_facts.hpp"
#include "workbench/explain/causes.hpp"

namespace rafter::explain {
namespace {

Cause first_of(const Facts& facts) { return diagnose(facts, h200()).first().cause; }

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Diagnose, CopyIsAtTheFloor) {
  const Diagnosis d = diagnose(copy_kernel(), h200());
  EXPECT_EQ(d.first().cause, Cause::memory_floor);
  EXPECT_TRUE(has(d.first().sentence, "only fewer bytes would help")) << d.first().sentence;
  EXPECT_EQ(d.estimate.longest(), Part::memory);
  EXPECT_NEAR(d.estimate.memory_ns, 2.0 * (1 << 28) / 4500, 10);
}

TEST(Diagnose, UncoalescedIsWorthTheWastedSectors) {
  Facts facts = copy_kernel();
  facts.accesses[0].sectors = facts.accesses[0].requests * 20;
  facts.accesses[0].stride = 20;
  facts.footprint.read_sectors *= 5;
  facts.footprint.block_read_sectors *= 5;
  const Diagnosis d = diagnose(facts, h200());
  EXPECT_EQ(d.first().cause, Cause::uncoalesced);
  EXPECT_NEAR(d.first().worth, 3, 0.1);  // 20 and 4 sectors become 4 and 4
  EXPECT_EQ(d.first().at.line, 3);
}

TEST(Diagnose, NamesAStrideOfAPowerOfTwo) {
  Facts facts = copy_kernel();
  facts.accesses[0].sectors = facts.accesses[0].requests * 32;
  facts.accesses[0].stride = 4096;
  facts.footprint.block_read_sectors *= 8;
  EXPECT_EQ(first_of(facts), Cause::power_of_two_stride);
}

TEST(Diagnose, MisalignedRowsCountIfNoCacheHelps) {
  Facts facts = copy_kernel();
  facts.accesses[0].sectors = facts.accesses[0].requests * 5;  // the next warp uses the rest of the sector
  EXPECT_EQ(first_of(facts), Cause::memory_floor);
  facts.accesses[1].sectors = facts.accesses[1].requests * 5;
  EXPECT_EQ(first_of(facts), Cause::misaligned);
}

TEST(Diagnose, LaterReadsMayUseTheRestOfASector) {
  Facts facts = copy_kernel();  // the three bytes of a colour, read one after the other
  facts.accesses[0].sectors = facts.accesses[0].requests * 12;
  facts.accesses[0].ideal_sectors = facts.accesses[0].requests * 4;
  facts.accesses.insert(facts.accesses.end(), 2, facts.accesses[0]);
  facts.footprint.read_sectors *= 3;
  facts.footprint.read_bytes *= 3;
  facts.footprint.block_read_sectors *= 3;
  EXPECT_EQ(first_of(facts), Cause::memory_floor);
  facts.footprint.fetched_sectors *= 3;
  facts.footprint.lines_per_block = 4096;  // too large for the cache, except for the last reads
  EXPECT_EQ(first_of(facts), Cause::memory_floor);
  facts.footprint.fetched_sectors *= 3;  // already evicted
  EXPECT_EQ(first_of(facts), Cause::uncoalesced);
}

TEST(Diagnose, BlocksThatReadTheSameDataKeepTheL2Busy) {
  Facts facts = copy_kernel();
  facts.footprint.block_read_sectors *= 2.9;
  facts.accesses[0].requests *= 2.9;
  facts.accesses[0].sectors *= 2.9;
  facts.accesses[0].ideal_sectors *= 2.9;
  facts.footprint.written_sectors = facts.accesses[1].sectors = facts.accesses[1].ideal_sectors = 0;
  facts.footprint.written_bytes = facts.accesses[1].requests = 0;
  const Diagnosis d = diagnose(facts, h200());
  EXPECT_EQ(d.estimate.longest(), Part::cache);
  EXPECT_EQ(d.first().cause, Cause::cache) << d.first().sentence;
}

TEST(Diagnose, BankConflictsCountIfSharedMemoryIsBusy) {
  Facts facts = copy_kernel();
  facts.accesses.push_back(shared_loads(facts.warps() * 256, 2, 7));
  const Diagnosis d = diagnose(facts, h200());
  EXPECT_EQ(d.first().cause, Cause::bank_conflicts);
  EXPECT_NEAR(d.first().worth, 2, 0.1);
  facts.accesses.back() = shared_loads(facts.warps(), 2, 7);  // hidden by memory
  EXPECT_EQ(first_of(facts), Cause::memory_floor);
}

TEST(Diagnose, AtomicsOnOneWordAreSerialised) {
  Facts facts = copy_kernel();
  AccessFacts atomics = coalesced(Access::atomic, facts.warps(), 9);
  atomics.most_at_one = 32;
  facts.accesses.push_back(atomics);
  facts.hottest_atomics = 32 * facts.warps();
  const Diagnosis d = diagnose(facts, h200());
  EXPECT_EQ(d.first().cause, Cause::one_address_atomics);
  EXPECT_GT(d.first().worth, 100);
}

TEST(Diagnose, IdleLanesCountIfInstructionsLimit) {
  Facts facts = copy_kernel();
  facts.compiled->code = {
      {.at = {"copy.cu", 6, ""}, .times = 100, .lanes = 16, .issue = 10, .latency = 10, .is_loop = true}};
  const Diagnosis d = diagnose(facts, h200());
  EXPECT_EQ(d.first().cause, Cause::divergence);
  EXPECT_NEAR(d.first().worth, 2, 0.1);
  facts.nsight = NsightFacts{.duration_ns = 5000, .lanes = 32};  // the machine code has a select and no branch
  EXPECT_NE(first_of(facts), Cause::divergence);
}

TEST(Diagnose, WithoutNvccIdleLanesComeFromPasses) {
  Facts facts = copy_kernel();
  facts.compiled.reset();
  facts.passes = {{{"copy.cu", 6, ""}, facts.warps() * 1000, facts.warps() * 8000}};
  EXPECT_EQ(first_of(facts), Cause::divergence);
}

TEST(Diagnose, SpillsAreLoadsAndStores) {
  Facts facts = copy_kernel();
  facts.compiled->spill_bytes = 400;
  facts.compiled->stack_bytes = 200;
  facts.compiled->code[0].times = 10;
  EXPECT_EQ(first_of(facts), Cause::spills);
}

/// Returns a kernel with a loop that waits for its loads.
Facts waiting_kernel() {
  Facts facts = copy_kernel();
  facts.compiled->code = {{.times = 100, .issue = 10, .latency = 800, .loads = 1, .is_loop = true}};
  return facts;
}

TEST(Diagnose, FewWarpsHaveAReason) {
  Facts facts = waiting_kernel();
  EXPECT_EQ(first_of(facts), Cause::load_latency);
  facts.compiled->registers = 200;
  EXPECT_EQ(first_of(facts), Cause::registers);
  facts.compiled->registers = 16;
  facts.compiled->static_shared_bytes = 200 * 1024;
  EXPECT_EQ(first_of(facts), Cause::shared_memory);
}

TEST(Diagnose, DistinguishesChainsAndBarriersFromLoads) {
  Facts facts = waiting_kernel();
  facts.compiled->code[0].chain = 800;
  EXPECT_EQ(first_of(facts), Cause::chain);
  facts.compiled->code[0].chain = 0;
  facts.compiled->code[0].barriers = 2;
  facts.compiled->code[0].at_barriers = 780;
  facts.barriers = {{{"copy.cu", 8, "__syncthreads();"}, facts.blocks * 256 * 200}};
  EXPECT_EQ(first_of(facts), Cause::barriers);
}

TEST(Diagnose, WideDivisionsAreInstructions) {
  Facts facts = copy_kernel();
  facts.compiled->code[0].issue = 800;
  facts.compiled->code[0].wide_division = 600;
  EXPECT_EQ(first_of(facts), Cause::wide_division);
}

TEST(Diagnose, GridMayBeTooSmallOrEndInASmallWave) {
  Facts facts = waiting_kernel();
  facts.blocks = 16;
  for (AccessFacts& access : facts.accesses)
    access.requests = 16 * 8, access.sectors = access.ideal_sectors = 4 * 16 * 8;
  facts.footprint = {};
  EXPECT_EQ(first_of(facts), Cause::few_blocks);

  facts = copy_kernel();
  facts.compiled->code[0] = {.times = 1000, .issue = 100, .latency = 101, .is_loop = true};
  facts.block = {1024, 1, 1};
  facts.compiled->registers = 64;  // one block per multiprocessor
  facts.blocks = 133;
  const Diagnosis d = diagnose(facts, h200());
  EXPECT_EQ(d.first().cause, Cause::tail_wave);
  EXPECT_NEAR(d.first().worth, 2 * 132. / 133, 0.05);
  facts.blocks = 132;
  EXPECT_NE(first_of(facts), Cause::tail_wave);
}

TEST(Diagnose, LaunchDominatesLittleWork) {
  Facts facts = copy_kernel();
  facts.blocks = 8;
  facts.accesses.clear();
  facts.footprint = {};
  EXPECT_EQ(first_of(facts), Cause::launch);
}

// A thread for each chunk: the L1 cache serves what a request leaves, so that no fix is worth much by the model.
TEST(Diagnose, ReportsTheUsedPartOfSectorsLikeTheProfile) {
  Facts facts = copy_kernel();
  AccessFacts& loads = facts.accesses[0];
  loads.sectors = 32 * loads.requests;
  loads.stride = 256;
  Facts all = facts;
  all.footprint.fetched_sectors = all.footprint.block_read_sectors = 4 * loads.requests;
  bool has_said = false;
  for (const Finding& finding : diagnose(all, h200()).findings)
    has_said = has_said || finding.sentence.find("none of them wasted") != std::string::npos;
  EXPECT_FALSE(has_said);
  facts = copy_kernel();
  for (AccessFacts& access : facts.accesses) access.requests *= 20, access.lanes *= 20, access.bytes *= 20;
  for (AccessFacts& access : facts.accesses) access.sectors *= 20, access.ideal_sectors *= 20;
  EXPECT_EQ(diagnose(facts, h200()).first().sentence.find("use 13 %"), std::string::npos);
}

TEST(Diagnose, TheFloorIncludesArithmetic) {
  Facts facts = copy_kernel();
  facts.compiled->code = {{.times = 1000, .issue = 8, .latency = 40, .fp32 = 1, .loads = 1, .is_loop = true}};
  facts.passes.clear();
  const double floor = arithmetic_ns(facts, h200());
  EXPECT_NEAR(floor, facts.warps() * 1000 / 4 / 132 / 1.98, 1);
  Facts repeated = facts;
  for (AccessFacts& access : repeated.accesses) access.requests *= 1000, access.sectors *= 1000;
  for (AccessFacts& access : repeated.accesses) access.ideal_sectors *= 1000;
  const Finding first = diagnose(repeated, h200()).first();
  EXPECT_TRUE(first.by_arithmetic);
  EXPECT_LT(first.at_most, 1.1 * diagnose(repeated, h200()).estimate.total_ns() / floor);
  EXPECT_FALSE(first.by_bytes_alone);
  repeated.compiled.reset();
  EXPECT_TRUE(diagnose(repeated, h200()).first().by_bytes_alone) << "its arithmetic is unknown";
}

TEST(Diagnose, DoublePrecisionLimitsWhereAGpuDoesLittleOfIt) {
  Facts facts = copy_kernel();
  facts.compiled->code = {{.times = 1000, .issue = 66, .latency = 100, .fp64 = 64, .is_loop = true}};
  facts.passes.clear();
  const Finding first = diagnose(facts, gpu_called("RTX4090")).first();
  EXPECT_NE(first.sentence.find("Double precision limits it: 97 %"), std::string::npos) << first.sentence;
  EXPECT_NE(first.sentence.find("an RTX4090 does 1/64"), std::string::npos) << first.sentence;
  EXPECT_EQ(with_article(gpu_called("T4")), "a T4");
}

TEST(Diagnose, FindsRepeatedLoads) {
  Facts facts = copy_kernel();
  facts.accesses.push_back(coalesced(Access::load, facts.warps() * 200, 5));
  EXPECT_EQ(first_of(facts), Cause::rereads);
}

TEST(Diagnose, ReportsAMeasuredTimeBeyondAllCounts) {
  Facts facts = copy_kernel();
  facts.times = Times{.cold_ns = 140e3, .floor_ns = 120e3};
  EXPECT_EQ(first_of(facts), Cause::memory_floor);
  facts.times->cold_ns = 180e3;
  const Diagnosis d = diagnose(facts, h200());
  EXPECT_EQ(d.first().cause, Cause::above_floor);
  EXPECT_NEAR(d.first().at_most, 1.5, 0.01);
  facts.times.reset();
  facts.nsight = NsightFacts{.duration_ns = 180e3, .lanes = 32};
  EXPECT_EQ(first_of(facts), Cause::above_floor);
}

TEST(Diagnose, ShortBlocksAreLimitedByTheirStarts) {
  Facts facts = copy_kernel();
  facts.blocks *= 8;
  facts.block = {32, 1, 1};
  const Diagnosis d = diagnose(facts, h200());
  EXPECT_EQ(d.first().cause, Cause::many_blocks) << d.first().sentence;
  EXPECT_NEAR(d.estimate.starts_ns, (1 << 19) * 0.61, 1);
}

TEST(Diagnose, WorthIsBoundedByTheMeasuredTime) {
  Facts facts = copy_kernel();
  facts.accesses[0].sectors = facts.accesses[0].requests * 32;
  facts.footprint.block_read_sectors *= 8;
  facts.times = Times{.cold_ns = 150e3, .floor_ns = 120e3};
  for (const Finding& finding : diagnose(facts, h200()).findings) EXPECT_LE(finding.worth, 1.2501) << finding.sentence;
}

TEST(Diagnose, EmptyFactsDoNotCrash) {
  const Diagnosis d = diagnose(Facts{}, h200());
  EXPECT_FALSE(d.findings.empty());
  EXPECT_FALSE(d.first().sentence.empty());
}

TEST(Diagnose, ProgramMayBeLimitedByCopiesOrLaunches) {
  ProgramFacts program;
  program.kernels = {copy_kernel()};
  program.copies = {{.at = {"main.cu", 9, ""}, .copies = 100, .bytes = 1e9}};
  ProgramDiagnosis d = diagnose(program, h200());
  ASSERT_FALSE(d.findings.empty());
  EXPECT_EQ(d.findings[0].cause, Cause::copies);

  program.copies.clear();
  program.kernels[0].launches = 1000;
  EXPECT_TRUE(diagnose(program, h200()).findings.empty());
  program.kernels[0].accesses.clear();
  program.kernels[0].footprint = {};
  program.kernels[0].blocks = 1;
  d = diagnose(program, h200());
  ASSERT_FALSE(d.findings.empty());
  EXPECT_EQ(d.findings[0].cause, Cause::launch);
}

TEST(Diagnose, HeaviestKernelComesFirst) {
  ProgramFacts program;
  program.kernels = {copy_kernel(), copy_kernel()};
  program.kernels[0].kernel = "light";
  program.kernels[1].kernel = "heavy";
  program.kernels[1].launches = 10;
  const ProgramDiagnosis d = diagnose(program, h200());
  EXPECT_EQ(d.kernels[0].kernel, "heavy");
  EXPECT_NEAR(d.shares[0], 10. / 11, 0.01);
}

/// Every rung that an idea refers to exists.
TEST(Ideas, ReferToExistingRungs) {
  for (int i = 0; i <= static_cast<int>(Cause::other_floor); ++i) {
    const Finding finding = finding_of(static_cast<Cause>(i));
    EXPECT_EQ(finding.cause, static_cast<Cause>(i));
    if (finding.shown_by.empty()) continue;
    const std::string family = finding.shown_by.substr(0, finding.shown_by.find(' ')),
                      rung = finding.shown_by.substr(family.size() + 1);
    std::ostringstream text;
    text << std::ifstream(std::filesystem::path(RAFTER_KERNELS) / family / (family + "_workload.cpp")).rdbuf();
    EXPECT_TRUE(has(text.str(), "(cuda, " + rung + ",")) << finding.shown_by;
  }
}

}  // namespace
}  // namespace rafter::explain
