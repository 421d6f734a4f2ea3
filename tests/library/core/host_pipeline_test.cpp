// HostPipeline: every item is processed, in every order in which a device's streams execute.
#include "rafter/host_pipeline.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "lazy_backend.hpp"
#include "workbench/lab/expect_error.hpp"

namespace rafter {
namespace {

using core::LazyBackend;
using lab::expect_error;
constexpr HostPipelineShape shape{.in_elements = 3, .out_elements = 2, .items = 4};

/// Makes 2 doubles of 3 ints: their sum and the first.
void add_and_keep(std::span<const int> in, std::span<double> out) {
  for (std::size_t i = 0; i < out.size() / 2; ++i) {
    out[2 * i] = static_cast<double>(in[3 * i]) + in[3 * i + 1] + in[3 * i + 2];
    out[2 * i + 1] = in[3 * i];
  }
}

std::vector<int> numbers(std::size_t n_items) {
  std::vector<int> in(3 * n_items);
  std::iota(in.begin(), in.end(), 1);
  return in;
}

std::vector<double> expected(const std::vector<int>& in) {
  std::vector<double> out(in.size() / 3 * 2);
  add_and_keep(in, out);
  return out;
}

class LazyPipeline : public testing::Test {
 protected:
  void SetUp() override { core::set_simt_backend(backend_); }

  enum class Pageable { none, in, out, both };
  std::vector<double> run(std::size_t n_items, unsigned seed, Pageable pageable = Pageable::none) {
    backend_.seed = seed;
    const Stream stream = Stream::on(Device::simt);
    HostPipeline<int, double> pipeline(stream, shape);
    const auto in = numbers(n_items);
    std::vector<double> out(n_items * 2, -1);
    backend_.pageable.clear();
    if (pageable == Pageable::in || pageable == Pageable::both) backend_.pageable.push_back(in.data());
    if (pageable == Pageable::out || pageable == Pageable::both) backend_.pageable.push_back(out.data());
    for (int repeat = 0; repeat < 2; ++repeat) {
      pipeline.run(in, out, [&](DeviceSpan<const int> from, DeviceSpan<double> to) {
        backend_.enqueue(stream.handle(), [=] { add_and_keep(from.elements(), to.elements()); });
      });
    }
    return out;
  }

  static inline LazyBackend backend_;  // streams refer to it until the program ends
};

TEST_F(LazyPipeline, ProcessesAllItemsInAnyOrderOfStreams) {
  for (const Pageable pageable : {Pageable::none, Pageable::in, Pageable::out, Pageable::both}) {
    for (const std::size_t n_items : {0, 1, 3, 4, 5, 12, 13, 39}) {
      for (unsigned seed = 0; seed < 10; ++seed)
        ASSERT_EQ(run(n_items, seed, pageable), expected(numbers(n_items))) << n_items << " items, seed " << seed;
    }
  }
  EXPECT_EQ(backend_.n_events, 0) << "events are given back";
}

TEST_F(LazyPipeline, DetectsStreamsThatDoNotWait) {
  backend_.forgets_events = true;
  int n_wrong = 0;
  for (unsigned seed = 0; seed < 20; ++seed) n_wrong += run(39, seed) != expected(numbers(39)) ? 1 : 0;
  backend_.forgets_events = false;
  EXPECT_GT(n_wrong, 15);
}

TEST_F(LazyPipeline, LeavesNoWorkInFlightWhenTheOpThrows) {
  const Stream stream = Stream::on(Device::simt);
  HostPipeline<int, double> pipeline(stream, shape);
  const auto in = numbers(20);
  std::vector<double> out(40, -1);
  int n_calls = 0;
  const auto run = [&](int calls_before_it_throws) {
    n_calls = 0;
    pipeline.run(in, out, [&](DeviceSpan<const int> from, DeviceSpan<double> to) {
      if (n_calls++ == calls_before_it_throws) throw Error(ErrorCode::unsupported, "the op failed");
      backend_.enqueue(stream.handle(), [=] { add_and_keep(from.elements(), to.elements()); });
    });
  };
  expect_error(ErrorCode::unsupported, "the op failed", [&] { run(2); });
  std::fill(out.begin(), out.end(), -1);
  stream.synchronize();
  EXPECT_EQ(out, std::vector<double>(40, -1)) << "written after run() had returned";
  run(-1);
  EXPECT_EQ(out, expected(in));
}

TEST(HostPipeline, PassesTheArraysThemselvesOnTheCpu) {
  HostPipeline<int, double> pipeline(Stream::cpu(), shape);
  const auto in = numbers(9);
  std::vector<double> out(18);
  int n_calls = 0;
  pipeline.run(in, out, [&](DeviceSpan<const int> from, DeviceSpan<double> to) {
    ++n_calls;
    EXPECT_EQ(from.data(), in.data());
    EXPECT_EQ(to.data(), out.data());
    add_and_keep(from.elements(), to.elements());
  });
  EXPECT_EQ(n_calls, 1);
  EXPECT_EQ(out, expected(in));
}

TEST(HostPipeline, RejectsSizesThatDoNotFit) {
  HostPipeline<int, double> pipeline(Stream::cpu(), shape);
  const auto in = numbers(2);
  std::vector<double> out(4);
  const auto refused = [&](const std::string& words, std::size_t n_in, std::size_t n_out) {
    expect_error(ErrorCode::bad_argument, words,
                 [&] { pipeline.run(std::span(in).first(n_in), std::span(out).first(n_out), [](auto, auto) {}); });
  };
  refused("HostPipeline::run: in should have 12 bytes per item, has 20", 5, 4);
  refused("HostPipeline::run: out should have 32 bytes, for 2 items, has 24", 6, 3);
  expect_error(ErrorCode::bad_argument, "HostPipeline: items must be 1 or more", [] {
    HostPipeline<int, double>(Stream::cpu(), {1, 1, 0});
  });
  expect_error(ErrorCode::bad_argument, "HostPipeline: in_elements must be 1 or more", [] {
    HostPipeline<int, double>(Stream::cpu(), {-1, 1, 1});
  });
}

TEST(PinnedBuffer, StoresValues) {
  PinnedBuffer<int> buffer(Stream::cpu(), 100);
  std::iota(buffer.span().begin(), buffer.span().end(), 0);
  const PinnedBuffer<int> moved = std::move(buffer);
  EXPECT_EQ(moved.size(), 100);
  EXPECT_EQ(moved.span()[99], 99);
  EXPECT_EQ(PinnedBuffer<int>(Stream::cpu(), 0).size(), 0);
  expect_error(ErrorCode::bad_argument, "PinnedBuffer: the number of elements must be 0 or more",
               [] { PinnedBuffer<int>(Stream::cpu(), -1); });
}

}  // namespace
}  // namespace rafter
