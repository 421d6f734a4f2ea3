// What a request of a warp costs: sectors of global memory, passes over the banks of shared memory.
#include "executor/count/request.hpp"

#include <gtest/gtest.h>

#include "executor/count/widths.hpp"

namespace rafter::simt {
namespace {

/// Lane i lanes `bytes` at first + i * stride.
Request request(std::uintptr_t first, std::ptrdiff_t stride, std::uint32_t bytes, unsigned n_lanes = 32) {
  Request made;
  made.n = n_lanes;
  for (unsigned lane = 0; lane < n_lanes; ++lane) {
    const auto address = first + static_cast<std::uintptr_t>(stride * static_cast<std::ptrdiff_t>(lane));
    made.lanes[lane] = {reinterpret_cast<const std::byte*>(address), bytes};
  }
  return made;
}

constexpr std::uintptr_t base = 1 << 20;

TEST(Sectors, of_a_copy) {
  EXPECT_EQ(request(base, 1, 1).sectors(), 1u);
  EXPECT_EQ(request(base, 2, 2).sectors(), 2u);
  EXPECT_EQ(request(base, 4, 4).sectors(), 4u);
  EXPECT_EQ(request(base, 8, 8).sectors(), 8u);
  EXPECT_EQ(request(base, 16, 16).sectors(), 16u);
}

TEST(Sectors, of_strides_columns_and_one_word) {
  EXPECT_EQ(request(base, 8, 4).sectors(), 8u);
  EXPECT_EQ(request(base, 32, 4).sectors(), 32u);
  EXPECT_EQ(request(base, 4096, 4).sectors(), 32u);
  EXPECT_EQ(request(base, 0, 4).sectors(), 1u);
  EXPECT_EQ(request(base + 124, -4, 4).sectors(), 4u) << "backwards is as good";
}

TEST(Sectors, of_a_copy_that_starts_between_two) {
  EXPECT_EQ(request(base + 4, 4, 4).sectors(), 5u);
  EXPECT_EQ(request(base + 30, 4, 4).sectors(), 5u) << "an access over the edge counts twice";
  EXPECT_EQ(request(base + 4, 4, 4).ideal_sectors(), 4u);
}

TEST(Sectors, ideal_counts_distinct_bytes) {
  EXPECT_EQ(request(base, 4096, 4).ideal_sectors(), 4u);
  EXPECT_EQ(request(base, 0, 4).ideal_sectors(), 1u);
  EXPECT_EQ(request(base, 4, 4, 9).ideal_sectors(), 2u);
  EXPECT_EQ(request(base, 16, 16).ideal_sectors(), 16u);
}

TEST(Passes, of_strides) {
  for (unsigned stride : {1u, 3u, 5u, 31u, 33u}) EXPECT_EQ(request(base, 4 * stride, 4).wavefronts(), 1u) << stride;
  for (unsigned stride : {2u, 4u, 8u, 16u, 32u}) EXPECT_EQ(request(base, 4 * stride, 4).wavefronts(), stride);
  EXPECT_EQ(request(base, 4 * 64, 4).wavefronts(), 32u);
  EXPECT_EQ(request(base, 4 * 6, 4).wavefronts(), 2u);
}

TEST(Passes, of_one_word_and_of_parts_of_words) {
  EXPECT_EQ(request(base, 0, 4).wavefronts(), 1u) << "a broadcast";
  EXPECT_EQ(request(base, 1, 1).wavefronts(), 1u);
  EXPECT_EQ(request(base, 2, 2).wavefronts(), 1u);
}

TEST(Passes, of_wide_accesses) {
  EXPECT_EQ(request(base, 8, 8).wavefronts(), 2u);
  EXPECT_EQ(request(base, 16, 16).wavefronts(), 4u);
  EXPECT_EQ(request(base, 8, 8).ideal_wavefronts(), 2u);
  EXPECT_EQ(request(base, 16, 16).ideal_wavefronts(), 4u);
  EXPECT_EQ(request(base, 16, 16, 8).ideal_wavefronts(), 1u);
  EXPECT_EQ(request(base, 4, 4).ideal_wavefronts(), 1u);
}

TEST(Passes, of_atomics_at_one_address) {
  EXPECT_EQ(request(base, 0, 4).atomic_wavefronts(), 32u);
  EXPECT_EQ(request(base, 0, 4).wavefronts(), 1u) << "a load is a broadcast";
  EXPECT_EQ(request(base, 4, 4).atomic_wavefronts(), 1u);
  EXPECT_EQ(request(base, 128, 4).atomic_wavefronts(), 32u) << "other words of one bank are no better";
}

TEST(Sectors, of_atomics_at_one_address) {
  EXPECT_EQ(request(base, 0, 4).atomic_sectors(), 32u) << "a turn each";
  EXPECT_EQ(request(base, 0, 4).sectors(), 1u);
  EXPECT_EQ(request(base, 4, 4).atomic_sectors(), 4u) << "no two at one address: one turn";
}

Request as(Request made, LaneAccess::Kind kind) {
  for (LaneAccess& lane : made.lanes) lane.kind = kind;
  return made;
}

TEST(WidthOf, what_the_compiler_counts_on) {
  const Widths widths;
  for (const std::uint32_t bytes : {1u, 2u, 4u, 8u, 16u}) EXPECT_EQ(widths.of(request(base, 64, bytes)), bytes);
  EXPECT_EQ(widths.of(request(base + 8, 64, 16)), 8u);
}

TEST(WidthOf, structures) {
  Widths widths;
  const auto unaligned = [&](std::uintptr_t at, std::uint32_t bytes) {
    return widths.of(as(request(at, static_cast<std::ptrdiff_t>(bytes), bytes), LaneAccess::Kind::unaligned));
  };
  EXPECT_EQ(unaligned(base, 12), 4u);
  EXPECT_EQ(unaligned(base, 8), 4u) << "or it would not be unaligned";
  EXPECT_EQ(unaligned(base, 32), 16u) << "nothing is known but the addresses";
  EXPECT_EQ(unaligned(base + 4, 32), 4u);
  EXPECT_EQ(widths.of(as(request(base, 4096, 4096), LaneAccess::Kind::bulk)), 4096u);
  widths.add(32, 4);
  widths.add(16, 8);
  EXPECT_EQ(unaligned(base, 32), 4u);
  EXPECT_EQ(widths.of(request(base, 16, 16)), 8u);
  widths.add(32, 16);
  EXPECT_EQ(unaligned(base, 32), 16u) << "two types: the better one";
}

TEST(Requests, fall_into_pieces) {
  Request made = request(base, 12, 12, 2);
  made.lanes[1].bytes = 4;
  EXPECT_EQ(made.piece(0, 4).n, 2u);
  EXPECT_EQ(made.piece(8, 4).n, 1u);
  EXPECT_EQ(made.piece(8, 4).lanes[0].address, made.lanes[0].address + 8);
  EXPECT_EQ(made.piece(12, 4).n, 0u);
}

TEST(Requests, count_bytes_and_lanes_at_one_address) {
  EXPECT_EQ(request(base, 4, 4).bytes(), 128u);
  EXPECT_EQ(request(base, 16, 16, 3).bytes(), 48u);
  EXPECT_EQ(request(base, 4, 4).distinct_bytes(), 128u);
  EXPECT_EQ(request(base, 0, 4).distinct_bytes(), 4u);
  EXPECT_EQ(request(base, 0, 4).most_at_one_address(), 32u);
  EXPECT_EQ(request(base, 4, 4).most_at_one_address(), 1u);
  const Request apart = request(base, 4, 4);
  Request pairs = apart;
  for (unsigned lane = 0; lane < 32; ++lane) pairs.lanes[lane] = apart.lanes[lane / 2];
  EXPECT_EQ(pairs.most_at_one_address(), 2u);
}

TEST(Requests, have_a_stride_where_all_lanes_agree) {
  EXPECT_EQ(request(base, 4, 4).stride(), 4);
  EXPECT_EQ(request(base, 4096, 4, 2).stride(), 4096);
  EXPECT_EQ(request(base, 4, 4, 1).stride(), 0) << "one lane has none";
  Request moved = request(base, 4, 4);
  moved.lanes[31].address += 4;
  EXPECT_EQ(moved.stride(), 0);
}

}  // namespace
}  // namespace rafter::simt
