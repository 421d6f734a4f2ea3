// The cost of a request: sectors of global memory, passes over the banks of shared memory.
#include "executor/count/request.hpp"

#include <gtest/gtest.h>

#include "executor/count/widths.hpp"

namespace rafter::simt {
namespace {

/// Returns a request in which lane i accesses `bytes` at first + i * stride.
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

TEST(Sectors, CountContiguousAccesses) {
  EXPECT_EQ(request(base, 1, 1).sectors(), 1u);
  EXPECT_EQ(request(base, 2, 2).sectors(), 2u);
  EXPECT_EQ(request(base, 4, 4).sectors(), 4u);
  EXPECT_EQ(request(base, 8, 8).sectors(), 8u);
  EXPECT_EQ(request(base, 16, 16).sectors(), 16u);
}

TEST(Sectors, CountStridesColumnsAndOneWord) {
  EXPECT_EQ(request(base, 8, 4).sectors(), 8u);
  EXPECT_EQ(request(base, 32, 4).sectors(), 32u);
  EXPECT_EQ(request(base, 4096, 4).sectors(), 32u);
  EXPECT_EQ(request(base, 0, 4).sectors(), 1u);
  EXPECT_EQ(request(base + 124, -4, 4).sectors(), 4u) << "descending addresses cost the same";
}

TEST(Sectors, CountUnalignedAccesses) {
  EXPECT_EQ(request(base + 4, 4, 4).sectors(), 5u);
  EXPECT_EQ(request(base + 30, 4, 4).sectors(), 5u) << "an access across a sector boundary counts in both";
  EXPECT_EQ(request(base + 4, 4, 4).ideal_sectors(), 4u);
}

TEST(Sectors, IdealCountsDistinctBytes) {
  EXPECT_EQ(request(base, 4096, 4).ideal_sectors(), 4u);
  EXPECT_EQ(request(base, 0, 4).ideal_sectors(), 1u);
  EXPECT_EQ(request(base, 4, 4, 9).ideal_sectors(), 2u);
  EXPECT_EQ(request(base, 16, 16).ideal_sectors(), 16u);
}

TEST(Wavefronts, CountBankConflictsOfStrides) {
  for (unsigned stride : {1u, 3u, 5u, 31u, 33u}) EXPECT_EQ(request(base, 4 * stride, 4).wavefronts(), 1u) << stride;
  for (unsigned stride : {2u, 4u, 8u, 16u, 32u}) EXPECT_EQ(request(base, 4 * stride, 4).wavefronts(), stride);
  EXPECT_EQ(request(base, 4 * 64, 4).wavefronts(), 32u);
  EXPECT_EQ(request(base, 4 * 6, 4).wavefronts(), 2u);
}

TEST(Wavefronts, CountBroadcastsAndPartsOfWordsOnce) {
  EXPECT_EQ(request(base, 0, 4).wavefronts(), 1u) << "a broadcast";
  EXPECT_EQ(request(base, 1, 1).wavefronts(), 1u);
  EXPECT_EQ(request(base, 2, 2).wavefronts(), 1u);
}

TEST(Wavefronts, SplitWideAccesses) {
  EXPECT_EQ(request(base, 8, 8).wavefronts(), 2u);
  EXPECT_EQ(request(base, 16, 16).wavefronts(), 4u);
  EXPECT_EQ(request(base, 8, 8).ideal_wavefronts(), 2u);
  EXPECT_EQ(request(base, 16, 16).ideal_wavefronts(), 4u);
  EXPECT_EQ(request(base, 16, 16, 8).ideal_wavefronts(), 1u);
  EXPECT_EQ(request(base, 4, 4).ideal_wavefronts(), 1u);
}

TEST(Wavefronts, SerialiseAtomicsAtOneAddress) {
  EXPECT_EQ(request(base, 0, 4).atomic_wavefronts(), 32u);
  EXPECT_EQ(request(base, 0, 4).wavefronts(), 1u) << "a load is a broadcast";
  EXPECT_EQ(request(base, 4, 4).atomic_wavefronts(), 1u);
  EXPECT_EQ(request(base, 128, 4).atomic_wavefronts(), 32u) << "different words of one bank also conflict";
}

TEST(Sectors, SerialiseAtomicsAtOneAddress) {
  EXPECT_EQ(request(base, 0, 4).atomic_sectors(), 32u) << "one round per lane";
  EXPECT_EQ(request(base, 0, 4).sectors(), 1u);
  EXPECT_EQ(request(base, 4, 4).atomic_sectors(), 4u) << "distinct addresses: one round";
}

Request as(Request made, LaneAccess::Kind kind) {
  for (LaneAccess& lane : made.lanes) lane.kind = kind;
  return made;
}

TEST(Widths, FollowTheAlignmentOfPlainAccesses) {
  const Widths widths;
  for (const std::uint32_t bytes : {1u, 2u, 4u, 8u, 16u}) EXPECT_EQ(widths.of(request(base, 64, bytes)), bytes);
  EXPECT_EQ(widths.of(request(base + 8, 64, 16)), 8u);
}

TEST(Widths, FollowTheAlignmentOfStructures) {
  Widths widths;
  const auto unaligned = [&](std::uintptr_t at, std::uint32_t bytes) {
    return widths.of(as(request(at, static_cast<std::ptrdiff_t>(bytes), bytes), LaneAccess::Kind::unaligned));
  };
  EXPECT_EQ(unaligned(base, 12), 4u);
  EXPECT_EQ(unaligned(base, 8), 4u) << "an aligned one would be reported as aligned";
  EXPECT_EQ(unaligned(base, 32), 16u) << "no type is known, so the addresses decide";
  EXPECT_EQ(unaligned(base + 4, 32), 4u);
  EXPECT_EQ(widths.of(as(request(base, 4096, 4096), LaneAccess::Kind::bulk)), 4096u);
  widths.add(32, 4);
  widths.add(16, 8);
  EXPECT_EQ(unaligned(base, 32), 4u);
  EXPECT_EQ(widths.of(request(base, 16, 16)), 8u);
  widths.add(32, 16);
  EXPECT_EQ(unaligned(base, 32), 16u) << "two types: the larger alignment";
}

TEST(Request, SplitsIntoPieces) {
  Request made = request(base, 12, 12, 2);
  made.lanes[1].bytes = 4;
  EXPECT_EQ(made.piece(0, 4).n, 2u);
  EXPECT_EQ(made.piece(8, 4).n, 1u);
  EXPECT_EQ(made.piece(8, 4).lanes[0].address, made.lanes[0].address + 8);
  EXPECT_EQ(made.piece(12, 4).n, 0u);
}

TEST(Request, CountsBytesAndLanesAtOneAddress) {
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

TEST(Request, HasAStrideIfAllLanesAgree) {
  EXPECT_EQ(request(base, 4, 4).stride(), 4);
  EXPECT_EQ(request(base, 4096, 4, 2).stride(), 4096);
  EXPECT_EQ(request(base, 4, 4, 1).stride(), 0) << "one lane has none";
  Request moved = request(base, 4, 4);
  moved.lanes[31].address += 4;
  EXPECT_EQ(moved.stride(), 0);
}

}  // namespace
}  // namespace rafter::simt
