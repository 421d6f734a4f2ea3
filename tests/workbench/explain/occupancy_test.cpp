#include <gtest/gtest.h>

#include "rafter/error.hpp"
#include "workbench/explain/model.hpp"

namespace rafter::explain {
namespace {

const Gpu& h200() { return gpu_called("H200"); }

// Compared with the rules of cudaOccupancyMaxActiveBlocksPerMultiprocessor for 9.0.
TEST(Occupancy, IsLimitedByTheScarcestResource) {
  const Occupancy threads = occupancy({.threads = 1024, .registers = 32, .shared_bytes = 0}, h200());
  EXPECT_EQ(threads.blocks, 2);
  EXPECT_EQ(threads.limiter, Limiter::threads);
  EXPECT_DOUBLE_EQ(threads.share, 1);

  const Occupancy blocks = occupancy({.threads = 32, .registers = 16, .shared_bytes = 0}, h200());
  EXPECT_EQ(blocks.blocks, 32);
  EXPECT_EQ(blocks.limiter, Limiter::blocks);
  EXPECT_DOUBLE_EQ(blocks.share, 0.5);

  const Occupancy registers = occupancy({.threads = 256, .registers = 128, .shared_bytes = 0}, h200());
  EXPECT_EQ(registers.blocks, 2);
  EXPECT_EQ(registers.limiter, Limiter::registers);

  const Occupancy shared = occupancy({.threads = 128, .registers = 32, .shared_bytes = 100 * 1024}, h200());
  EXPECT_EQ(shared.blocks, 2);
  EXPECT_EQ(shared.limiter, Limiter::shared_memory);
}

TEST(Occupancy, RegistersAreAllocatedInUnits) {
  EXPECT_EQ(occupancy({.threads = 256, .registers = 33, .shared_bytes = 0}, h200()).blocks,
            6);  // rounded up to 40 per thread
  EXPECT_EQ(occupancy({.threads = 1024, .registers = 255, .shared_bytes = 0}, h200()).blocks, 0);
}

TEST(Occupancy, OtherGpusHaveOtherLimits) {
  EXPECT_EQ(occupancy({.threads = 1024, .registers = 32, .shared_bytes = 0}, gpu_called("rtx4090")).blocks, 1);
  EXPECT_EQ(occupancy({.threads = 128, .registers = 32, .shared_bytes = 100 * 1024}, gpu_called("A100")).blocks, 1);
  EXPECT_THROW(gpu_called("H300x"), Error);
  for (const Gpu& gpu : gpus())
    EXPECT_GT(occupancy({.threads = 256, .registers = 32, .shared_bytes = 0}, gpu).blocks, 0) << gpu.name;
}

TEST(Gpus, DoLittleDoublePrecisionWhereTheDataSheetSaysSo) {
  const auto ratio = [](const char* name) { return gpu_called(name).fp64_slots() / gpu_called(name).fp32_slots(); };
  for (const char* name : {"H200", "H100", "A100", "V100", "B200"}) EXPECT_DOUBLE_EQ(ratio(name), 2) << name;
  for (const char* name : {"RTX4090", "RTX5090", "L40S"}) EXPECT_DOUBLE_EQ(ratio(name), 64) << name;
  EXPECT_DOUBLE_EQ(ratio("T4"), 32);
}

}  // namespace
}  // namespace rafter::explain
