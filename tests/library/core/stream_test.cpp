#include "rafter/stream.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "library/core/stream/scratch.hpp"
#include "rafter/error.hpp"
#include "rafter/memory_resource.hpp"

namespace rafter {
namespace {

TEST(Stream, ReportsItsThreads) {
  EXPECT_EQ(Stream::cpu(3).n_threads(), 3);
  EXPECT_GE(Stream::cpu().n_threads(), 1);
  EXPECT_THROW(static_cast<void>(Stream::cpu(-1)), Error);
}

TEST(Stream, TicketsStartAtZero) {
  const Stream stream = Stream::cpu();
  for (int i = 0; i < core::n_tickets; ++i) ASSERT_EQ(core::tickets(stream)[i], 0u) << i;
}

TEST(Stream, ScratchStaysWhileItSuffices) {
  const Stream stream = Stream::cpu();
  std::byte* const first = core::scratch(stream, 1000);
  EXPECT_EQ(core::scratch(stream, 32 << 10), first);
  std::byte* const larger = core::scratch(stream, 1 << 20);
  EXPECT_EQ(core::scratch(stream, 16 << 20), larger);
}

TEST(Stream, ReservedScratchIsUsableToItsEnd) {
  const Stream stream = Stream::cpu();
  constexpr std::int64_t bytes = 8 << 20;
  stream.reserve(bytes);
  std::byte* const scratch = core::scratch(stream, bytes);
  scratch[0] = scratch[bytes - 1] = std::byte{1};
  EXPECT_EQ(core::scratch(stream, 1), scratch);
}

TEST(Stream, StaysUsableAfterAMove) {
  Stream first = Stream::cpu(3);
  const Stream second = std::move(first);
  EXPECT_EQ(first.n_threads(), 3);  // NOLINT(bugprone-use-after-move): allowed
  EXPECT_EQ(core::scratch(first, 16), core::scratch(second, 16));
}

/// A resource of the host program that may return null.
class PerhapsNull final : public MemoryResource {
 public:
  void* allocate(std::int64_t bytes, CUstream_st*) override {
    return is_empty ? nullptr : std::aligned_alloc(256, static_cast<std::size_t>((bytes + 255) / 256 * 256));
  }
  void deallocate(void* memory, std::int64_t, CUstream_st*) noexcept override { std::free(memory); }
  bool is_empty = true;
};

TEST(Stream, ReportsAMemoryResourceThatReturnsNull) {
  const auto resource = std::make_shared<PerhapsNull>();
  set_memory_resource(Device::cpu, resource);
  const Stream stream = Stream::cpu();
  for (const bool is_scratch : {true, false}) {
    try {
      is_scratch ? static_cast<void>(core::scratch(stream, 1)) : static_cast<void>(core::tickets(stream));
      ADD_FAILURE() << "null was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::out_of_memory);
      EXPECT_NE(std::string(error.what()).find("returned null"), std::string::npos) << error.what();
    }
  }
  resource->is_empty = false;
  EXPECT_NE(core::scratch(stream, 1), nullptr) << "the stream is usable afterwards";
  set_memory_resource(Device::cpu, nullptr);
}

TEST(Stream, CopiesAreTheSameStream) {
  const Stream stream = Stream::cpu();
  const Stream copy = stream;
  EXPECT_EQ(core::scratch(copy, 16), core::scratch(stream, 16));
}

}  // namespace
}  // namespace rafter
