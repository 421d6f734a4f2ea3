// Faults planted in forcefield's kernels: in the layers of a block, in the products of a cluster, in bins and in
// neighbour lists. fault() selects the fault.
#include "base/pattern.hpp"
#include "forcefield/forcefield_rung.hpp"
#include "forcefield_lists.hpp"
#include "planted_rung.hpp"
#include "rafter/buffer.hpp"

namespace rafter {

namespace forcefield_ladder {
namespace planted_forcefield_faults {
extern const ForceFieldRung blocks;
int fault();
int fault() { return test::chosen_fault; }
}  // namespace planted_forcefield_faults
namespace planted_list_faults {
int fault();
int fault() { return test::chosen_fault; }
}  // namespace planted_list_faults
}  // namespace forcefield_ladder
namespace test::planted_list_faults {
ListMakers list_makers();
}

namespace {

using test::expect_clean;
using test::Found;

Found molecules(int fault, std::int64_t n, std::int64_t features) {
  const lab::Params params{{"model", std::string("student")}, {"molecules", n},
                           {"kind", std::string("benzene")},  {"features", features},
                           {"layers", std::int64_t{1}},       {"radial", std::int64_t{6}},
                           {"cutoff", std::int64_t{2}}};
  return test::run_planted<forcefield_ladder::ForceFieldArgs<float>>(
      "forcefield", forcefield_ladder::planted_forcefield_faults::blocks, params, fault);
}

/// Runs one block per molecule.
Found blocks(int fault) { return molecules(fault, 2, 20); }
/// Runs one cluster per molecule.
Found cluster(int fault) { return molecules(fault, 1, 128); }

/// Builds the neighbour lists of a molecule whose counts take two iterations of a block, with bins.
Found lists(int fault) {
  constexpr std::int64_t n = 300;
  simt::provide_device();
  const Stream stream = Stream::on(Device::simt);
  const forcefield_ladder::BatchPlan batch(stream, std::vector<std::int64_t>{n}, std::vector<std::int32_t>(n, 1), {});
  std::vector<float> row(3 * n);
  for (std::size_t i = 0; i < row.size(); i += 3) row[i] = static_cast<float>(i) / 3;
  const Buffer<float> positions(stream, row);
  test::chosen_fault = fault;
  Found found{.is_right = false};
  try {
    const auto made = test::planted_list_faults::list_makers().of_float(stream, batch, positions.data(), 1.0, 0);
    found.is_right = std::ssize(made.list.edges) == 2 * (n - 1);
    for (std::int64_t i = 0; found.is_right && i < n; ++i) {
      for (const auto& edge : made.list.of(i)) found.is_right = found.is_right && std::abs(edge.sender - i) == 1;
    }
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::device_failure) << error.what();
  }
  found.complaints = core::backend(Device::simt).take_findings().value_or("");
  return found;
}

/// Expects the finding `what` in `file`, at a line that contains `text`.
void expect_in_line(const Found& found, const std::string& what, const std::string& file, const std::string& text) {
  test::expect_found(found, what, file);
  EXPECT_TRUE(base::Pattern(file + R"(:\d+: [^\n]*\n[^\n]*)" + text).find(found.complaints))
      << file << ", " << text << " is not in:\n"
      << found.complaints;
}

TEST(ForceFieldFaults, ReportsNothingWithoutAFault) {
  expect_clean(blocks(0));
  expect_clean(cluster(0));
  expect_clean(lists(0));
}

TEST(ForceFieldFaults, ReportsMissingBarrierBeforeALayer) {
  expect_in_line(blocks(1), "race in shared memory", "forcefield/cuda/forcefield_readout.cuh", "last\\.weight");
}

TEST(ForceFieldFaults, ReportsRowsOverwrittenWhileRead) {
  expect_in_line(blocks(2), "race in shared memory", "forcefield/cuda/forcefield_readout.cuh", "last\\.weight");
}

TEST(ForceFieldFaults, ReportsMissingBarrierAfterPositions) {
  expect_in_line(blocks(3), "race in shared memory", "forcefield/cuda/forcefield_molecule.cuh", R"(positions\[i\] = )");
}

TEST(ForceFieldFaults, ReportsMissingClusterBarrierBeforeRemoteRows) {
  expect_in_line(cluster(4), "race in shared memory", "forcefield/cuda/forcefield_cluster.cuh", "RemoteShared");
}

TEST(ForceFieldFaults, ReportsRemoteStoreToRowsStillRead) {
  expect_in_line(cluster(5), "race in shared memory", "forcefield/cuda/forcefield_cluster.cuh", "RemoteShared");
}

TEST(ForceFieldFaults, ReportsScanStorageReusedTooEarly) {
  expect_in_line(lists(1), "race in shared memory", "library/core/cuda/scan.cuh", R"(storage\.partial)");
}

TEST(ForceFieldFaults, ReportsUnclearedSlots) {
  expect_in_line(lists(2), "uninitialised read in global memory", "forcefield/cuda/forcefield_bins.cuh", "atomicAdd");
}

TEST(ForceFieldFaults, ReportsAtomsCountedWithoutAtomics) {
  expect_in_line(lists(3), "race in global memory", "forcefield/cuda/forcefield_bins.cuh", "slot_first");
}

TEST(ForceFieldFaults, ReportsUnwrittenRowOfASlot) {
  expect_in_line(lists(4), "uninitialised read in global memory", "forcefield/cuda/forcefield_bins.cuh", "other\\.");
}

TEST(ForceFieldFaults, ReportsListWrittenPastItsEnd) {
  const Found found = lists(5);
  expect_in_line(found, "access out of bounds in global memory", "forcefield/cuda/forcefield_lists.cuh",
                 "lanes_before");
  EXPECT_NE(found.complaints.find("just past its end"), std::string::npos) << found.complaints;
}

}  // namespace
}  // namespace rafter
