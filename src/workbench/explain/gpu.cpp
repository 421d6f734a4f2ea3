#include "workbench/explain/gpu.hpp"

#include <algorithm>
#include <cctype>

#include "base/messages.hpp"
#include "rafter/error.hpp"

namespace rafter::explain {

// Limits are those of the CUDA programming guide by compute capability. These rates were measured on the H200: memory
// bandwidth; L2 bandwidth (16 MB, read or copied repeatedly); atomics at one address (29.45 ms for 2^24 of them); block
// starts (640 us for 2^20 empty blocks of 64 threads, 163 us for 2^18 of 256: their size does not matter). The others
// are estimates that were compared with the planted kernels (benchmarks/explain/planted.py). Other GPUs have 0.93 of
// the data sheet's bandwidth, and start blocks in as many cycles as an H200.
const std::vector<Gpu>& gpus() {
  static const std::vector<Gpu> all{
      {.name = "H200",
       .capability = 90,
       .n_sms = 132,
       .clock_ghz = 1.98,
       .dram_bytes_per_ns = 4500,
       .l2_bytes_per_ns = 7400,
       .l2_bytes = 50e6,
       .l1_bytes = 256 << 10,
       .registers_per_sm = 65536,
       .threads_per_sm = 2048,
       .blocks_per_sm = 32,
       .shared_bytes_per_sm = 228 << 10,
       .shared_bytes_per_block = 227 << 10,
       .reserved_shared_bytes = 1024,
       .launch_ns = 2000,
       .atomic_ns = 1.75,
       .block_ns = 0.61,
       .pinned_bytes_per_ns = 50,
       .pageable_bytes_per_ns = 10,
       .copy_ns = 8000},
      {.name = "A100",
       .capability = 80,
       .n_sms = 108,
       .clock_ghz = 1.41,
       .dram_bytes_per_ns = 1450,
       .l2_bytes_per_ns = 4000,
       .l2_bytes = 40e6,
       .l1_bytes = 192 << 10,
       .registers_per_sm = 65536,
       .threads_per_sm = 2048,
       .blocks_per_sm = 32,
       .shared_bytes_per_sm = 164 << 10,
       .shared_bytes_per_block = 163 << 10,
       .reserved_shared_bytes = 1024,
       .launch_ns = 2300,
       .atomic_ns = 2.4,
       .block_ns = 0.86,
       .pinned_bytes_per_ns = 24,
       .pageable_bytes_per_ns = 8,
       .copy_ns = 8000},
      {.name = "RTX4090",
       .capability = 89,
       .n_sms = 128,
       .clock_ghz = 2.52,
       .dram_bytes_per_ns = 940,
       .l2_bytes_per_ns = 4500,
       .l2_bytes = 72e6,
       .l1_bytes = 128 << 10,
       .registers_per_sm = 65536,
       .threads_per_sm = 1536,
       .blocks_per_sm = 24,
       .shared_bytes_per_sm = 100 << 10,
       .shared_bytes_per_block = 99 << 10,
       .reserved_shared_bytes = 1024,
       .launch_ns = 2000,
       .atomic_ns = 1.5,
       .block_ns = 0.48,
       .pinned_bytes_per_ns = 24,
       .pageable_bytes_per_ns = 8,
       .copy_ns = 8000},
  };
  return all;
}

const Gpu& gpu_called(const std::string& name) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
  };
  std::vector<std::string> known;
  for (const Gpu& gpu : gpus()) {
    if (std::equal(gpu.name.begin(), gpu.name.end(), name.begin(), name.end(), same)) return gpu;
    known.push_back(gpu.name);
  }
  throw Error(ErrorCode::bad_argument, base::unknown_name("GPU", name, known));
}

}  // namespace rafter::explain
