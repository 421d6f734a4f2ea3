#include "rafter/buffer.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace rafter {
namespace {

TEST(Buffer, CopiesOutWhatWasCopiedIn) {
  const std::vector<double> host{1, 2, 3};
  const Buffer<double> buffer(Stream::cpu(), host);
  std::vector<double> back(3);
  buffer.copy_to(back);
  EXPECT_EQ(back, host);
}

TEST(Buffer, IsAlignedForAnyVector) {
  const Buffer<float> buffer(Stream::cpu(), 1000);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % 256, 0u);
}

TEST(Buffer, MovesWithoutCopying) {
  Buffer<float> first(Stream::cpu(), 10);
  const float* memory = first.data();
  const Buffer<float> second = std::move(first);
  EXPECT_EQ(second.data(), memory);
  EXPECT_EQ(second.size(), 10);
}

TEST(Buffer, MayBeEmpty) {
  Buffer<float> empty(Stream::cpu(), 0);
  EXPECT_EQ(empty.size(), 0);
  empty.copy_from({});
}

TEST(Buffer, RejectsNegativeAndImpossibleSizes) {
  EXPECT_THROW(Buffer<float>(Stream::cpu(), -1), Error);
  EXPECT_THROW(Buffer<double>(Stream::cpu(), std::numeric_limits<std::int64_t>::max() / 4), Error);
}

TEST(Buffer, ReportsTheSizeThatCannotBeAllocated) {
  try {
    const Buffer<char> huge(Stream::cpu(), std::int64_t{1} << 55);
    FAIL() << "a buffer of 32 PiB was allocated";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::out_of_memory);
    EXPECT_NE(std::string(error.what()).find("36028797018963968 bytes"), std::string::npos) << error.what();
  }
}

TEST(Buffer, RejectsCopiesOfAnotherSize) {
  Buffer<float> buffer(Stream::cpu(), 2);
  const std::vector<float> three(3);
  EXPECT_THROW(buffer.copy_from(three), Error);
}

}  // namespace
}  // namespace rafter
