#include "library/core/stream/stream_state.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include "fake_backend.hpp"
#include "library/core/stream/scratch.hpp"
#include "rafter/buffer.hpp"

namespace rafter::core {
namespace {

using State = std::shared_ptr<StreamState>;

std::string error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

class StreamStateTest : public testing::Test {
 protected:
  State of(CUstream_st* handle) { return StreamState::of(device_, Stream::current_ordinal, handle); }

  /// Enqueues work like an op: partial results in the scratch and a counter, in three launches.
  void op(const State& state, std::int64_t bytes) {
    const OpScope scope(*state);
    unsigned* ticket = state->tickets();
    std::byte* scratch = state->scratch(bytes);
    const auto mark = static_cast<std::byte>(++n_ops_);
    device_.enqueue(state->handle(), [=, this] {
      if (!device_.is_allocated(scratch, bytes) || *ticket != 0) ++n_wrong_;
      std::fill_n(scratch, bytes, mark);
      ++*ticket;
    });
    std::this_thread::yield();
    device_.enqueue(state->handle(), [=, this] {
      const bool is_kept = std::all_of(scratch, scratch + bytes, [=](std::byte b) { return b == mark; });
      if (!device_.is_allocated(scratch, bytes) || !is_kept || *ticket != 1) ++n_wrong_;
      *ticket = 0;
    });
  }

  FakeBackend device_;
  std::atomic<int> n_ops_ = 0;
  std::atomic<int> n_wrong_ = 0;
};

TEST_F(StreamStateTest, CreationAllocatesNothing) {
  CUstream_st* handle = device_.create_stream();
  device_.begin_capture(handle);
  const State first = of(handle);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(of(handle), first);
  EXPECT_EQ(device_.n_allocations, 0);
  device_.end_capture(handle);
  first->scratch(0);
  EXPECT_EQ(device_.n_allocations, 0);
  for (int i = 0; i < 100; ++i) op(of(handle), 100);
  EXPECT_EQ(device_.n_allocations, 2);  // scratch and tickets
  device_.drain();
  EXPECT_EQ(n_wrong_, 0);
  first->release();
}

TEST_F(StreamStateTest, EachHandleHasItsOwnState) {
  const State a = of(device_.create_stream());
  const State b = of(device_.create_stream());
  const State legacy = of(nullptr);
  EXPECT_NE(a->scratch(10), b->scratch(10));
  EXPECT_NE(a->tickets(), b->tickets());
  EXPECT_NE(a->scratch(10), legacy->scratch(10));
  for (const State& state : {a, b, legacy}) state->release();
}

TEST_F(StreamStateTest, GrowsInStreamOrderWithoutWaiting) {
  const State state = of(device_.create_stream());
  op(state, 1000);
  op(state, 1025);
  EXPECT_EQ(state->scratch_bytes(), 2048);  // doubled
  op(state, 100000);
  op(state, 30);
  EXPECT_EQ(device_.n_synchronized, 0);
  EXPECT_EQ(device_.n_blocks(), 4u);  // the outgrown ones are in use until the stream gets there
  device_.drain();
  EXPECT_EQ(device_.n_blocks(), 2u);
  EXPECT_EQ(n_wrong_, 0);
  state->release();
}

TEST_F(StreamStateTest, IsUnchangedWhenGrowthFails) {
  const State state = of(device_.create_stream());
  state->tickets();
  std::byte* before = state->scratch(1000);
  device_.free_bytes = 5000;
  EXPECT_THROW(state->scratch(6000), Error);
  EXPECT_EQ(state->scratch(1000), before);
  op(state, 1000);
  device_.drain();
  EXPECT_EQ(n_wrong_, 0);
  state->release();
}

TEST_F(StreamStateTest, CaptureUsesReservedScratch) {
  const State state = of(device_.create_stream());
  state->reserve(5000);
  EXPECT_EQ(state->scratch_bytes(), 5000);
  EXPECT_EQ(state->scratch_limit(), 1 << 16);
  device_.begin_capture(state->handle());
  EXPECT_EQ(state->scratch_limit(), 5000);
  op(state, 5000);
  const std::string why = error_of([&] { state->scratch(5001); });
  EXPECT_NE(why.find("5001 bytes of scratch, the stream has 5000"), std::string::npos) << why;
  EXPECT_NE(why.find("Stream::reserve before the capture"), std::string::npos) << why;
  device_.end_capture(state->handle());
  device_.drain();
  EXPECT_EQ(n_wrong_, 0);
  state->release();
}

TEST_F(StreamStateTest, RejectsACaptureWithoutReserve) {
  const State state = of(device_.create_stream());
  device_.begin_capture(state->handle());
  EXPECT_NE(error_of([&] { state->scratch(1); }).find("reserve"), std::string::npos);
  EXPECT_NE(error_of([&] { state->tickets(); }).find("reserve"), std::string::npos);
  EXPECT_NE(error_of([&] { state->reserve(1); }).find("reserve"), std::string::npos);
  EXPECT_EQ(device_.n_allocations, 0);
  device_.end_capture(state->handle());
}

TEST_F(StreamStateTest, KeepsTheScratchOfAGraphUntilRelease) {
  const State state = of(device_.create_stream());
  state->reserve(2000);
  device_.begin_capture(state->handle());
  std::byte* captured = state->scratch(2000);
  device_.end_capture(state->handle());
  std::byte* later = state->scratch(3000);
  EXPECT_NE(later, captured);
  state->scratch(50000);  // no graph uses `later`
  device_.drain();
  EXPECT_TRUE(device_.is_allocated(captured, 2000));
  EXPECT_EQ(device_.n_blocks(), 3u);
  state->release();
  device_.drain();
  EXPECT_EQ(device_.n_blocks(), 0u);
}

TEST_F(StreamStateTest, ReusedHandleIsAnotherStream) {
  CUstream_st* handle = device_.create_stream();
  op(of(handle), 1000);
  unsigned* tickets = of(handle)->tickets();
  device_.destroy_stream(handle);  // with pending work, and without a release
  ASSERT_EQ(device_.create_stream(), handle);
  EXPECT_NE(of(handle)->tickets(), tickets);
  op(of(handle), 1000);
  device_.drain();
  EXPECT_EQ(n_wrong_, 0);
  of(handle)->release();
}

TEST_F(StreamStateTest, ReleaseFreesInStreamOrderAndForgets) {
  CUstream_st* handle = device_.create_stream();
  const State state = of(handle);
  op(state, 1000);
  state->release();
  EXPECT_EQ(device_.n_blocks(), 2u);
  device_.drain();
  EXPECT_EQ(device_.n_blocks(), 0u);
  EXPECT_EQ(n_wrong_, 0);
  EXPECT_NE(of(handle), state);
  EXPECT_NE(error_of([&] { state->scratch(1); }).find("released"), std::string::npos);
  EXPECT_NE(error_of([&] { state->tickets(); }).find("released"), std::string::npos);
  state->release();  // no effect
  op(of(handle), 1000);
  device_.drain();
  EXPECT_EQ(n_wrong_, 0);
  of(handle)->release();
}

TEST_F(StreamStateTest, RejectsReleaseDuringACapture) {
  const State state = of(device_.create_stream());
  state->reserve(10);
  device_.begin_capture(state->handle());
  EXPECT_NE(error_of([&] { state->release(); }).find("captured"), std::string::npos);
  EXPECT_NE(state->scratch(10), nullptr);
  device_.end_capture(state->handle());
  state->release();
}

TEST_F(StreamStateTest, OwnedStreamIsFoundByHandleAndEndsWithItsLastCopy) {
  State owned = StreamState::create(device_, Stream::current_ordinal);
  CUstream_st* handle = owned->handle();
  op(owned, 1000);
  {
    const State found = of(handle);
    EXPECT_EQ(found, owned);
    owned.reset();
    op(found, 100);
  }
  device_.drain();
  EXPECT_EQ(n_wrong_, 0);
  EXPECT_EQ(device_.n_blocks(), 0u);
  EXPECT_EQ(device_.create_stream(), handle);  // it was destroyed
}

TEST_F(StreamStateTest, UsesItsDeviceAndRestoresTheCurrentOne) {
  device_.make_current(1);
  const State state = StreamState::of(device_, 2, nullptr);
  EXPECT_EQ(state->ordinal(), 2);
  state->scratch(1);
  EXPECT_EQ(device_.ordinal_of_allocation, 2);
  EXPECT_EQ(device_.current_ordinal(), 1);
  device_.free_bytes = 0;
  EXPECT_THROW(state->scratch(100000), Error);
  EXPECT_EQ(device_.current_ordinal(), 1);
  {
    const OpScope scope(*state);
    EXPECT_EQ(device_.current_ordinal(), 2);
  }
  EXPECT_EQ(device_.current_ordinal(), 1);
  state->release();
  device_.make_current(0);
}

TEST_F(StreamStateTest, DefaultStreamOfEachDeviceHasItsOwnState) {
  const State first = StreamState::of(device_, 0, nullptr);
  const State second = StreamState::of(device_, 1, nullptr);
  EXPECT_NE(first, second);
  EXPECT_EQ(of(nullptr), first);
  const std::string why = error_of([&] { StreamState::of(device_, 3, nullptr); });
  EXPECT_NE(why.find("ordinal 3; valid ordinals are 0 to 2"), std::string::npos) << why;
}

TEST_F(StreamStateTest, PerThreadStreamDiffersInEachThread) {
  const State mine = of(FakeBackend::per_thread);
  EXPECT_EQ(of(FakeBackend::per_thread), mine);
  std::string why;
  State others;
  std::thread([&] {
    others = of(FakeBackend::per_thread);
    others->scratch(1);
    others->release();
    why = error_of([&] { mine->scratch(1); });
  }).join();
  EXPECT_NE(others, mine);
  EXPECT_NE(why.find("cudaStreamPerThread"), std::string::npos) << why;
  mine->release();
}

/// A memory resource like that of a host program.
class Counting final : public MemoryResource {
 public:
  void* allocate(std::int64_t bytes, CUstream_st* stream) override {
    in_use += bytes;
    last_stream = stream;
    return ::operator new(static_cast<std::size_t>(bytes));
  }
  void deallocate(void* memory, std::int64_t bytes, CUstream_st*) noexcept override {
    in_use -= bytes;
    ::operator delete(memory);
  }
  std::int64_t in_use = 0;
  CUstream_st* last_stream = nullptr;
};

TEST_F(StreamStateTest, UsesTheHostProgramsMemoryResource) {
  const State state = of(device_.create_stream());
  const auto resource = std::make_shared<Counting>();
  device_.set_memory_resource(resource);
  state->reserve(3000);
  EXPECT_EQ(resource->in_use, 3000 + 4 * n_tickets);
  EXPECT_EQ(resource->last_stream, state->handle());
  EXPECT_EQ(device_.n_allocations, 0);
  device_.set_memory_resource(nullptr);
  state->reserve(4000);
  EXPECT_EQ(resource->in_use, 4 * n_tickets);
  EXPECT_EQ(device_.n_allocations, 1);
  device_.drain();  // this resource frees immediately
  state->release();
  EXPECT_EQ(resource->in_use, 0);
  EXPECT_EQ(resource.use_count(), 1);
}

TEST_F(StreamStateTest, BuffersReturnMemoryOfAResourceAfterAllWorkOnTheDevice) {
  set_simt_backend(device_);
  const auto resource = std::make_shared<Counting>();
  std::int64_t in_use_by_work = 0;
  {
    const Stream stream = Stream::on(Device::simt);
    stream.set_memory_resource(resource);
    const Buffer<char> buffer(stream, 100);
    EXPECT_EQ(resource->in_use, 100);
    EXPECT_EQ(resource->last_stream, nullptr);
    EXPECT_EQ(device_.n_synchronized, 1);
    device_.enqueue(device_.create_stream(), [&] { in_use_by_work = resource->in_use; });
  }
  EXPECT_EQ(in_use_by_work, 100);
  EXPECT_EQ(resource->in_use, 0);
}

TEST_F(StreamStateTest, BuffersTakeNothingFromAResourceDuringACapture) {
  set_simt_backend(device_);
  const auto resource = std::make_shared<Counting>();
  const Stream stream = Stream::on(Device::simt);
  stream.set_memory_resource(resource);
  device_.begin_capture(stream.handle());
  const std::string why = error_of([&] { const Buffer<char> buffer(stream, 100); });
  EXPECT_NE(why.find("is being captured"), std::string::npos) << why;
  device_.end_capture(stream.handle());
  EXPECT_EQ(resource->in_use, 0);
}

TEST_F(StreamStateTest, ManyThreadsShareAStream) {
  CUstream_st* handle = device_.create_stream();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 200; ++i) op(of(handle), 1 + (i * 97 + t * 389) % (10 * (i + 1)));
    });
  }
  for (std::thread& thread : threads) thread.join();
  device_.drain();
  EXPECT_EQ(n_wrong_, 0);
  EXPECT_EQ(n_ops_, 800);
  of(handle)->release();
}

TEST_F(StreamStateTest, ManyThreadsUseManyStreams) {
  std::vector<CUstream_st*> handles;
  for (int i = 0; i < 8; ++i) handles.push_back(device_.create_stream());
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t i = 0; i < 200; ++i)
        op(of(handles[(i * (t + 1)) % 8]), static_cast<std::int64_t>(1 + i * 31 % 3000));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(device_.n_allocations, 8 * 4);  // tickets, and scratch that grows twice
  device_.drain();
  EXPECT_EQ(n_wrong_, 0);
  for (CUstream_st* handle : handles) of(handle)->release();
}

TEST_F(StreamStateTest, ThreadsCreateAndReleaseStreamsConcurrently) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 100; ++i) {
        const State state = of(device_.create_stream());
        op(state, 500);
        state->release();
        device_.destroy_stream(state->handle());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  device_.drain();
  EXPECT_EQ(n_wrong_, 0);
  EXPECT_EQ(device_.n_blocks(), 0u);
}

}  // namespace
}  // namespace rafter::core
