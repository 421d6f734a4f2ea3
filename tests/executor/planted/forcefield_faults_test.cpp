// Faults planted in forcefield's kernels: in the layers of a block, in the products of a cluster, in bins and in lists
// of neighbours. Which one there is, fault() says.

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

/// A block each, and one that has a cluster.
Found blocks(int fault) { return molecules(fault, 2, 20); }
Found cluster(int fault) { return molecules(fault, 1, 128); }

/// The lists of a molecule whose counts take two rounds of a block, with bins.
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

/// `what` is found in `file`, in a line with `text`.
void expect_in_line(const Found& found, const std::string& what, const std::string& file, const std::string& text) {
  test::expect_found(found, what, file);
  EXPECT_TRUE(base::Pattern(file + R"(:\d+: [^\n]*\n[^\n]*)" + text).find(found.complaints))
      << file << ", " << text << " is not in:\n"
      << found.complaints;
}

TEST(ForceFieldFaults, none_and_nothing_is_found) {
  expect_clean(blocks(0));
  expect_clean(cluster(0));
  expect_clean(lists(0));
}

TEST(ForceFieldFaults, a_layer_that_does_not_wait_for_its_rows) {
  expect_in_line(blocks(1), "race in shared memory", "forcefield/cuda/forcefield_readout.cuh", "last\\.weight");
}

TEST(ForceFieldFaults, rows_that_are_written_while_they_are_read) {
  expect_in_line(blocks(2), "race in shared memory", "forcefield/cuda/forcefield_readout.cuh", "last\\.weight");
}

TEST(ForceFieldFaults, positions_that_nobody_waits_for) {
  expect_in_line(blocks(3), "race in shared memory", "forcefield/cuda/forcefield_molecule.cuh", R"(positions\[i\] = )");
}

TEST(ForceFieldFaults, rows_of_other_blocks_that_nobody_waits_for) {
  expect_in_line(cluster(4), "race in shared memory", "forcefield/cuda/forcefield_cluster.cuh", "RemoteShared");
}

TEST(ForceFieldFaults, rows_stored_to_blocks_that_still_read_those_before) {
  expect_in_line(cluster(5), "race in shared memory", "forcefield/cuda/forcefield_cluster.cuh", "RemoteShared");
}

TEST(ForceFieldFaults, sums_of_counts_that_share_their_storage_too_early) {
  expect_in_line(lists(1), "race in shared memory", "library/core/cuda/scan.cuh", R"(storage\.partial)");
}

TEST(ForceFieldFaults, slots_that_nobody_cleared) {
  expect_in_line(lists(2), "uninitialised read in global memory", "forcefield/cuda/forcefield_bins.cuh",
                 "atomicAdd");
}

TEST(ForceFieldFaults, atoms_counted_without_atomics) {
  expect_in_line(lists(3), "race in global memory", "forcefield/cuda/forcefield_bins.cuh", "slot_first");
}

TEST(ForceFieldFaults, a_row_of_a_slot_that_nobody_wrote) {
  expect_in_line(lists(4), "uninitialised read in global memory", "forcefield/cuda/forcefield_bins.cuh",
                 "other\\.");
}

TEST(ForceFieldFaults, a_list_written_past_its_end) {
  const Found found = lists(5);
  expect_in_line(found, "access out of bounds in global memory", "forcefield/cuda/forcefield_lists.cuh",
                 "lanes_before");
  EXPECT_NE(found.complaints.find("just past its end"), std::string::npos) << found.complaints;
}

}  // namespace
}  // namespace rafter
