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

TEST(Diagnose, a_copy_is_at_the_floor) {
  const Diagnosis d = diagnose(copy_kernel(), h200());
  EXPECT_EQ(d.first().cause, Cause::memory_floor);
  EXPECT_TRUE(has(d.first().sentence, "nothing is left but fewer bytes")) << d.first().sentence;
  EXPECT_EQ(d.estimate.longest(), Part::memory);
  EXPECT_NEAR(d.estimate.memory_ns, 2.0 * (1 << 28) / 4500, 10);
}

TEST(Diagnose, uncoalesced_is_worth_the_sectors_that_are_moved_for_nothing) {
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

TEST(Diagnose, a_stride_of_a_power_of_two_has_a_name_of_its_own) {
  Facts facts = copy_kernel();
  facts.accesses[0].sectors = facts.accesses[0].requests * 32;
  facts.accesses[0].stride = 4096;
  facts.footprint.block_read_sectors *= 8;
  EXPECT_EQ(first_of(facts), Cause::power_of_two_stride);
}

TEST(Diagnose, shifted_rows_count_where_no_cache_helps) {
  Facts facts = copy_kernel();
  facts.accesses[0].sectors = facts.accesses[0].requests * 5;  // the next warp has the rest of the sector
  EXPECT_EQ(first_of(facts), Cause::memory_floor);
  facts.accesses[1].sectors = facts.accesses[1].requests * 5;
  EXPECT_EQ(first_of(facts), Cause::misaligned);
}

TEST(Diagnose, what_is_left_of_a_sector_may_be_read_next) {
  Facts facts = copy_kernel();  // three bytes of a colour, one after the other
  facts.accesses[0].sectors = facts.accesses[0].requests * 12;
  facts.accesses[0].ideal_sectors = facts.accesses[0].requests * 4;
  facts.accesses.insert(facts.accesses.end(), 2, facts.accesses[0]);
  facts.footprint.read_sectors *= 3;
  facts.footprint.read_bytes *= 3;
  facts.footprint.block_read_sectors *= 3;
  EXPECT_EQ(first_of(facts), Cause::memory_floor);
  facts.footprint.fetched_sectors *= 3;
  facts.footprint.lines_per_block = 4096;  // they do not all fit into the cache, but what was read last does
  EXPECT_EQ(first_of(facts), Cause::memory_floor);
  facts.footprint.fetched_sectors *= 3;  // by then it is gone
  EXPECT_EQ(first_of(facts), Cause::uncoalesced);
}

TEST(Diagnose, blocks_that_read_what_others_read_keep_the_l2_busy) {
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

TEST(Diagnose, bank_conflicts_count_where_shared_memory_is_busy) {
  Facts facts = copy_kernel();
  facts.accesses.push_back(shared_loads(facts.warps() * 256, 2, 7));
  const Diagnosis d = diagnose(facts, h200());
  EXPECT_EQ(d.first().cause, Cause::bank_conflicts);
  EXPECT_NEAR(d.first().worth, 2, 0.1);
  facts.accesses.back() = shared_loads(facts.warps(), 2, 7);  // hidden behind memory
  EXPECT_EQ(first_of(facts), Cause::memory_floor);
}

TEST(Diagnose, atomics_on_one_word_come_one_after_the_other) {
  Facts facts = copy_kernel();
  AccessFacts atomics = coalesced(Access::atomic, facts.warps(), 9);
  atomics.most_at_one = 32;
  facts.accesses.push_back(atomics);
  facts.hottest_atomics = 32 * facts.warps();
  const Diagnosis d = diagnose(facts, h200());
  EXPECT_EQ(d.first().cause, Cause::one_address_atomics);
  EXPECT_GT(d.first().worth, 100);
}

TEST(Diagnose, idle_lanes_count_where_instructions_do) {
  Facts facts = copy_kernel();
  facts.compiled->code = {
      {.at = {"copy.cu", 6, ""}, .times = 100, .lanes = 16, .issue = 10, .latency = 10, .is_loop = true}};
  const Diagnosis d = diagnose(facts, h200());
  EXPECT_EQ(d.first().cause, Cause::divergence);
  EXPECT_NEAR(d.first().worth, 2, 0.1);
  facts.nsight = NsightFacts{.duration_ns = 5000, .lanes = 32};  // the machine's code selects, and has no branch
  EXPECT_NE(first_of(facts), Cause::divergence);
}

TEST(Diagnose, without_nvcc_idle_lanes_are_those_of_passes) {
  Facts facts = copy_kernel();
  facts.compiled.reset();
  facts.passes = {{{"copy.cu", 6, ""}, facts.warps() * 1000, facts.warps() * 8000}};
  EXPECT_EQ(first_of(facts), Cause::divergence);
}

TEST(Diagnose, spills_are_loads_and_stores) {
  Facts facts = copy_kernel();
  facts.compiled->spill_bytes = 400;
  facts.compiled->stack_bytes = 200;
  facts.compiled->code[0].times = 10;
  EXPECT_EQ(first_of(facts), Cause::spills);
}

/// A loop that waits for its loads.
Facts waiting_kernel() {
  Facts facts = copy_kernel();
  facts.compiled->code = {{.times = 100, .issue = 10, .latency = 800, .loads = 1, .is_loop = true}};
  return facts;
}

TEST(Diagnose, few_warps_have_a_reason) {
  Facts facts = waiting_kernel();
  EXPECT_EQ(first_of(facts), Cause::load_latency);
  facts.compiled->registers = 200;
  EXPECT_EQ(first_of(facts), Cause::registers);
  facts.compiled->registers = 16;
  facts.compiled->static_shared_bytes = 200 * 1024;
  EXPECT_EQ(first_of(facts), Cause::shared_memory);
}

TEST(Diagnose, chains_and_barriers_are_told_from_loads) {
  Facts facts = waiting_kernel();
  facts.compiled->code[0].chain = 800;
  EXPECT_EQ(first_of(facts), Cause::chain);
  facts.compiled->code[0].chain = 0;
  facts.compiled->code[0].barriers = 2;
  facts.compiled->code[0].at_barriers = 780;
  facts.barriers = {{{"copy.cu", 8, "__syncthreads();"}, facts.blocks * 256 * 200}};
  EXPECT_EQ(first_of(facts), Cause::barriers);
}

TEST(Diagnose, wide_divisions_are_instructions) {
  Facts facts = copy_kernel();
  facts.compiled->code[0].issue = 800;
  facts.compiled->code[0].wide_division = 600;
  EXPECT_EQ(first_of(facts), Cause::wide_division);
}

TEST(Diagnose, the_grid_may_be_too_small_or_end_in_a_small_wave) {
  Facts facts = waiting_kernel();
  facts.blocks = 16;
  for (AccessFacts& access : facts.accesses)
    access.requests = 16 * 8, access.sectors = access.ideal_sectors = 4 * 16 * 8;
  facts.footprint = {};
  EXPECT_EQ(first_of(facts), Cause::few_blocks);

  facts = copy_kernel();
  facts.compiled->code[0] = {.times = 1000, .issue = 100, .latency = 101, .is_loop = true};
  facts.block = {1024, 1, 1};
  facts.compiled->registers = 64;  // one block on a multiprocessor
  facts.blocks = 133;
  const Diagnosis d = diagnose(facts, h200());
  EXPECT_EQ(d.first().cause, Cause::tail_wave);
  EXPECT_NEAR(d.first().worth, 2 * 132. / 133, 0.05);
  facts.blocks = 132;
  EXPECT_NE(first_of(facts), Cause::tail_wave);
}

TEST(Diagnose, a_launch_of_little_is_a_launch) {
  Facts facts = copy_kernel();
  facts.blocks = 8;
  facts.accesses.clear();
  facts.footprint = {};
  EXPECT_EQ(first_of(facts), Cause::launch);
}

TEST(Diagnose, the_same_data_again) {
  Facts facts = copy_kernel();
  facts.accesses.push_back(coalesced(Access::load, facts.warps() * 200, 5));
  EXPECT_EQ(first_of(facts), Cause::rereads);
}

TEST(Diagnose, a_measured_time_beyond_all_counts_is_said) {
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

TEST(Diagnose, blocks_that_do_little_wait_for_their_starts) {
  Facts facts = copy_kernel();
  facts.blocks *= 8;
  facts.block = {32, 1, 1};
  const Diagnosis d = diagnose(facts, h200());
  EXPECT_EQ(d.first().cause, Cause::many_blocks) << d.first().sentence;
  EXPECT_NEAR(d.estimate.starts_ns, (1 << 19) * 0.61, 1);
}

TEST(Diagnose, nothing_is_worth_more_than_a_measured_time_has_left) {
  Facts facts = copy_kernel();
  facts.accesses[0].sectors = facts.accesses[0].requests * 32;
  facts.footprint.block_read_sectors *= 8;
  facts.times = Times{.cold_ns = 150e3, .floor_ns = 120e3};
  for (const Finding& finding : diagnose(facts, h200()).findings) EXPECT_LE(finding.worth, 1.2501) << finding.sentence;
}

TEST(Diagnose, nothing_known_is_no_crash) {
  const Diagnosis d = diagnose(Facts{}, h200());
  EXPECT_FALSE(d.findings.empty());
  EXPECT_FALSE(d.first().sentence.empty());
}

TEST(Diagnose, a_program_may_be_its_copies_or_its_launches) {
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

TEST(Diagnose, the_heaviest_kernel_comes_first) {
  ProgramFacts program;
  program.kernels = {copy_kernel(), copy_kernel()};
  program.kernels[0].kernel = "light";
  program.kernels[1].kernel = "heavy";
  program.kernels[1].launches = 10;
  const ProgramDiagnosis d = diagnose(program, h200());
  EXPECT_EQ(d.kernels[0].kernel, "heavy");
  EXPECT_NEAR(d.shares[0], 10. / 11, 0.01);
}

/// Every rung that an idea points to is there.
TEST(Ideas, are_shown_by_rungs_that_exist) {
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
