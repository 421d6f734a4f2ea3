#include "rafter/stream.hpp"

#include <gtest/gtest.h>

#include "rafter/error.hpp"

namespace rafter {
namespace {

TEST(Stream, ReportsItsThreads) {
  EXPECT_EQ(Stream::cpu(3).n_threads(), 3);
  EXPECT_GE(Stream::cpu().n_threads(), 1);
  EXPECT_THROW(Stream::cpu(-1), Error);
}

TEST(Stream, TicketsStartAtZero) {
  const Stream stream = Stream::cpu();
  for (int i = 0; i < Stream::n_tickets; ++i) ASSERT_EQ(stream.tickets()[i], 0u) << i;
}

TEST(Stream, ScratchStaysWhileItSuffices) {
  const Stream stream = Stream::cpu();
  std::byte* const first = stream.scratch(1000);
  EXPECT_EQ(stream.scratch(256 << 10), first);
}

TEST(Stream, ReservedScratchIsUsableToItsEnd) {
  const Stream stream = Stream::cpu();
  constexpr std::int64_t bytes = 8 << 20;
  stream.reserve(bytes);
  std::byte* const scratch = stream.scratch(bytes);
  scratch[0] = scratch[bytes - 1] = std::byte{1};
  EXPECT_EQ(stream.scratch(1), scratch);
}

TEST(Stream, CopiesAreTheSameStream) {
  const Stream stream = Stream::cpu();
  const Stream copy = stream;
  EXPECT_EQ(copy.scratch(16), stream.scratch(16));
}

}  // namespace
}  // namespace rafter
