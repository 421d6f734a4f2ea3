// Everything that is known about one kernel's launch, from all sources. Unknown facts are absent; nothing is filled in.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rafter::explain {

struct SourceLine {
  std::string file{};
  int line = 0;  ///< 0: unknown
  std::string text{};
};

enum class Space { global, shared, cluster };
enum class Access { load, store, atomic };

/// The accesses of one line in a launch. Counts are doubles, because they are averages over launches and may be
/// extrapolated from some of the blocks.
struct AccessFacts {
  SourceLine at{};
  Space space = Space::global;
  Access kind = Access::load;
  double requests = 0, lanes = 0, bytes = 0;
  double sectors = 0, ideal_sectors = 0;
  double passes = 0, ideal_passes = 0;  ///< passes over the banks
  double most_at_one = 0;               ///< atomics: most lanes of a request with one address
  std::int64_t stride = 0;              ///< bytes from lane to lane if nearly all requests have the same, otherwise 0

  double over_ideal() const {
    return space == Space::shared ? passes / (ideal_passes > 0 ? ideal_passes : 1)
                                  : sectors / (ideal_sectors > 0 ? ideal_sectors : 1);
  }
  double lane_bytes() const { return lanes > 0 ? bytes / lanes : 0; }
};

struct BarrierFacts {
  SourceLine at{};
  double arrivals = 0;  ///< number of threads that arrive
};

/// The number of warps that pass a line, and the sum of their active lanes.
struct PassFacts {
  SourceLine at{};
  double warps = 0, lanes = 0;
};

/// The distinct sectors and bytes of global memory.
struct Footprint {
  double read_sectors = 0, read_bytes = 0, written_sectors = 0, written_bytes = 0;
  double block_read_sectors = 0;  ///< distinct per block, summed over blocks
  double fetched_sectors = 0;     ///< summed over blocks that cache only recently accessed sectors
  double lines_per_block = 0;     ///< lines of 128 bytes

  double sectors() const { return read_sectors + written_sectors; }
  double bytes() const { return read_bytes + written_bytes; }
};

/// A straight-line part of the compiled code and its cost for one warp: see code.hpp.
struct CodeFacts {
  SourceLine at{};            ///< the most expensive line
  double times = 0;           ///< executions per warp, on average
  double lanes = 32;          ///< active lanes
  double issue = 0;           ///< scheduler slots per execution
  double latency = 0;         ///< cycles per execution of a warp that runs alone
  double chain = 0;           ///< part of `latency`: dependencies between iterations
  double at_barriers = 0;     ///< part of `latency`: waiting at barriers
  double wide_division = 0;   ///< part of `issue`: 64-bit divisions and remainders
  double fp32 = 0, fp64 = 0;  ///< parts of `issue`: additions and multiplications
  double barriers = 0;
  double loads = 0, arithmetic = 0;  ///< instructions
  double local = 0;                  ///< accesses of arrays in local memory
  bool is_loop = false;
  bool waits_for_memory = false;  ///< an address is loaded in the previous iteration
};

/// Facts from the compiled code.
struct CompiledFacts {
  int capability = 90;
  int registers = 0;
  double spill_bytes = 0;  ///< bytes stored and loaded per thread, each instruction counted once
  double stack_bytes = 0;
  double static_shared_bytes = 0;
  std::vector<CodeFacts> code{};
  std::vector<std::pair<std::string, double>> mix{};  ///< shares of instructions of the SASS by name, largest first
};

/// Measured times of one launch; 0: not measured.
struct Times {
  std::string device{};
  double cold_ns = 0, warm_ns = 0, graph_ns = 0, host_ns = 0;
  double in_program_ns = 0;  ///< measured within the program, with its cache state
  double floor_ns = 0;
};

/// A launch under Nsight Compute; percentages are of the peak.
struct NsightFacts {
  double duration_ns = 0;
  double memory_percent = 0, access_percent = 0, issue_percent = 0;  ///< DRAM, load and store units, schedulers
  double warps_percent = 0;  ///< percentage of the warps a multiprocessor can hold
  double lanes = 0;          ///< active lanes per instruction
};

struct Facts {
  std::string kernel{};
  double launches = 1;  ///< all other numbers are per launch
  bool shapes_differ = false;
  std::array<unsigned, 3> grid{1, 1, 1}, block{1, 1, 1}, cluster{1, 1, 1};
  double dynamic_shared_bytes = 0;
  double blocks = 1;
  double counted_share = 1;  ///< share of the blocks that ran

  std::vector<AccessFacts> accesses{};
  std::vector<BarrierFacts> barriers{};
  std::vector<PassFacts> passes{};
  Footprint footprint{};
  double hottest_atomics = 0;  ///< largest number of updates of one address in global memory

  std::optional<CompiledFacts> compiled{};
  std::optional<Times> times{};
  std::optional<NsightFacts> nsight{};

  double threads_per_block() const { return double{1} * block[0] * block[1] * block[2]; }
  double warps_per_block() const { return double((static_cast<long>(threads_per_block()) + 31) / 32); }
  double warps() const { return blocks * warps_per_block(); }
};

/// The copies between host and device at one line.
struct CopyFacts {
  SourceLine at{};
  bool to_device = true, pageable = true;
  double copies = 0, bytes = 0;
};

/// A whole program: its kernels and its copies.
struct ProgramFacts {
  std::vector<Facts> kernels{};
  std::vector<CopyFacts> copies{};
};

}  // namespace rafter::explain
