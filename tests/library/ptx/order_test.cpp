// Conversions, memory order, cache hints and policies. All wrappers run on all devices.
#include <cmath>
#include <cstring>

#include "wrappers_fixture.hpp"

namespace rafter::test {
namespace {

/// Expects all values of T to be converted exactly to float, and floats next to a midpoint to the nearer value.
template <class T>
void expect_conversions(const Stream& on, const ConvertWrappers<T>& wrappers) {
  std::vector<T> all(65536);
  std::vector<float> near;
  for (unsigned bits = 0; bits < all.size(); ++bits) all[bits].bits = static_cast<std::uint16_t>(bits);
  for (const T value : all) {
    T next = value;
    ++next.bits;
    const float middle = static_cast<float>((static_cast<double>(value) + static_cast<double>(next)) / 2);
    near.insert(near.end(), {middle, std::nextafter(middle, 0.f), std::nextafter(middle, 2 * middle)});
  }
  const auto n = static_cast<std::int64_t>(near.size());
  const Buffer<T> in(on, all);
  const Buffer<float> in_floats(on, near);
  Buffer<float> floats(on, std::ssize(all));
  Buffer<T> singles(on, n);
  Buffer<unsigned> pairs(on, n / 2);
  wrappers.widen(on, in.data(), static_cast<int>(all.size()), floats.data());
  wrappers.round(on, in_floats.data(), static_cast<int>(n), singles.data(), pairs.data());
  const auto widened = PtxWrappers::read(floats);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto expected = static_cast<float>(all[i]);
    ASSERT_TRUE(widened[i] == expected || (std::isnan(widened[i]) && std::isnan(expected))) << i;
  }
  const auto rounded = PtxWrappers::read(singles);
  const auto rounded_pairs = PtxWrappers::read(pairs);
  for (std::size_t i = 0; i < near.size(); ++i) {
    const unsigned expected = std::isnan(near[i]) ? 0x7fff : T(near[i]).bits;
    ASSERT_EQ(rounded[i].bits, expected) << near[i];
    ASSERT_EQ(rounded_pairs[i / 2] >> (16 * (i % 2)) & 0xffff, expected) << near[i];
  }
}

TEST_P(PtxWrappers, ConvertSixteenBitFloats) {
  expect_conversions(stream(), conversions(Half{}));
  expect_conversions(stream(), conversions(Bfloat16{}));
}

TEST_P(PtxWrappers, OrderBlocksByAcquireAndRelease) {
  const Stream on = stream();
  constexpr int n_blocks = 6;
  const auto x = counted<float>(n_blocks * 64);
  const Buffer<float> in(on, std::span<const float>(x));
  Buffer<float> work(on, n_blocks * 64), out(on, n_blocks * 64);
  Buffer<int> flags(on, std::span<const int>(std::vector<int>(n_blocks, 0)));
  orders().chain(on, n_blocks, in.data(), work.data(), flags.data(), out.data());
  const auto result = read(out);
  for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(result[i], 3 * x[i]) << i;
}

TEST_P(PtxWrappers, CopyWithCacheHints) {
  const Stream on = stream();
  const auto x = counted<unsigned>(11 * 256);
  const Buffer<unsigned> in(on, std::span<const unsigned>(x));
  Buffer<unsigned> out(on, 11 * 256);
  orders().hints(on, in.data(), out.data());
  EXPECT_EQ(read(out), x);
}

TEST_P(PtxWrappers, ElectOneLane) {
  const Stream on = stream();
  Buffer<int> out(on, std::span<const int>(std::vector<int>(3, 0)));
  orders().elect(on, 3, out.data());
  EXPECT_EQ(read(out), std::vector<int>(3, 1));
}

TEST_P(PtxWrappers, SelectPoliciesByCapability) {
  for (const auto& [capability, expected] : {std::pair{80, 80}, {86, 80}, {89, 80}, {90, 90}, {100, 100}, {120, 100}})
    EXPECT_EQ(orders().policy(capability), expected) << capability;
  EXPECT_THROW(orders().policy(75), Error);
}

std::string device_name(const testing::TestParamInfo<Device>& info) { return std::string(name(info.param)); }
INSTANTIATE_TEST_SUITE_P(on_simt, PtxWrappers, testing::Values(Device::simt), device_name);
#ifdef RAFTER_WITH_CUDA
INSTANTIATE_TEST_SUITE_P(on_gpu, PtxWrappers, testing::Values(Device::cuda), device_name);
#endif

}  // namespace
}  // namespace rafter::test
