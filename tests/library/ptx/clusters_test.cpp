// Clusters: distributed shared memory, multicast tiles, and stores between blocks.
#include <numeric>

#include "wrappers_fixture.hpp"

namespace rafter::test {
namespace {

TEST_P(PtxWrappers, AccessOtherBlocksOfACluster) {
  const Stream on = stream();
  Buffer<int> out(on, 8);
  orders().clusters(on, out.data());
  EXPECT_EQ(read(out), (std::vector<int>{100, 201, 302, 3, 100, 201, 302, 3}));
}

TEST_P(PtxWrappers, MulticastTilesToACluster) {
  const Stream on = stream();
  for (const int n_tiles : {1, 4, 11}) {
    const auto x = counted<float>(static_cast<std::size_t>(n_tiles) * 256);
    const Buffer<float> in(on, std::span<const float>(x));
    for (const bool bulk : {false, true}) {
      Buffer<float> out(on, 4 * 256);
      clusters().multicast(on, bulk, n_tiles, in.data(), out.data());
      const auto result = read(out);
      for (std::size_t i = 0; i < result.size(); ++i) {
        float sum = 10.f * static_cast<float>(i / 256);
        for (std::size_t tile = 0; tile < static_cast<std::size_t>(n_tiles); ++tile) sum += x[tile * 256 + i % 256];
        ASSERT_EQ(result[i], sum) << i << ", " << n_tiles << " tiles, " << (bulk ? "in bulk" : "by TMA");
      }
    }
  }
}

TEST_P(PtxWrappers, StoreToOtherBlocksOfACluster) {
  const Stream on = stream();
  Buffer<float> out(on, 4 * 256);
  clusters().stores(on, out.data());
  const auto result = read(out);
  for (std::size_t i = 0; i < result.size(); ++i)
    ASSERT_EQ(result[i], static_cast<float>(1000 * ((i / 256 + 3) % 4) + i % 256)) << i;
}

}  // namespace
}  // namespace rafter::test
