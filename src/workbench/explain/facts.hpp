// Everything that is known about one kernel's launch, whoever found it out. What is not known is not there: nothing is
// filled in.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rafter::explain {

struct SourceLine {
  std::string file{};
  int line = 0;  ///< 0: not known
  std::string text{};
};

enum class Space { global, shared, cluster };
enum class Access { load, store, atomic };

/// The accesses of one line, of a launch. Counts are doubles: they are averages over launches, and may stand for more
/// blocks than ran.
struct AccessFacts {
  SourceLine at{};
  Space space = Space::global;
  Access kind = Access::load;
  double requests = 0, lanes = 0, bytes = 0;
  double sectors = 0, ideal_sectors = 0;
  double passes = 0, ideal_passes = 0;  ///< over the banks
  double most_at_one = 0;               ///< atomics: lanes of a request that meet at one address, at most
  std::int64_t stride = 0;              ///< bytes from lane to lane, where nearly all requests have the same; else 0

  double over_ideal() const {
    return space == Space::shared ? passes / (ideal_passes > 0 ? ideal_passes : 1)
                                  : sectors / (ideal_sectors > 0 ? ideal_sectors : 1);
  }
  double lane_bytes() const { return lanes > 0 ? bytes / lanes : 0; }
};

struct BarrierFacts {
  SourceLine at{};
  double arrivals = 0;  ///< of threads
};

/// How often warps pass a line, and with how many lanes altogether.
struct PassFacts {
  SourceLine at{};
  double warps = 0, lanes = 0;
};

/// Distinct pieces of global memory.
struct Footprint {
  double read_sectors = 0, read_bytes = 0, written_sectors = 0, written_bytes = 0;
  double block_read_sectors = 0;  ///< by each block anew, added up
  double fetched_sectors = 0;     ///< the same, where a block keeps only what its threads touched of late
  double lines_per_block = 0;     ///< of 128 bytes

  double sectors() const { return read_sectors + written_sectors; }
  double bytes() const { return read_bytes + written_bytes; }
};

/// A stretch of compiled code without branches, and what one warp spends on it: see code.hpp.
struct CodeFacts {
  SourceLine at{};           ///< where it spends most
  double times = 0;          ///< that a warp passes it, on average
  double lanes = 32;         ///< active then
  double issue = 0;          ///< slots of the scheduler, each time
  double latency = 0;        ///< cycles, each time, nobody else around
  double chain = 0;          ///< of them, those from one round's results to the next round's
  double at_barriers = 0;    ///< of them, those at barriers
  double wide_division = 0;  ///< of `issue`, by divisions and remainders of 64 bits
  double barriers = 0;
  double loads = 0, arithmetic = 0;  ///< instructions
  double local = 0;                  ///< accesses of arrays in local memory
  bool is_loop = false;
  bool waits_for_memory = false;  ///< an address is loaded from memory in the round before
};

/// From the compiled code.
struct CompiledFacts {
  int capability = 90;
  int registers = 0;
  double spill_bytes = 0;  ///< stores and loads of a thread, each written once
  double stack_bytes = 0;
  double static_shared_bytes = 0;
  std::vector<CodeFacts> code{};
  std::vector<std::pair<std::string, double>> mix{};  ///< shares of instructions of the SASS by name, largest first
};

/// What a GPU measured, of one launch; 0: not measured.
struct Times {
  std::string device{};
  double cold_ns = 0, warm_ns = 0, graph_ns = 0, host_ns = 0;
  double in_program_ns = 0;  ///< where the program launches it, caches as they are then
  double floor_ns = 0;
};

/// Of a launch under Nsight Compute; shares of the most that can be, in percent.
struct NsightFacts {
  double duration_ns = 0;
  double memory_percent = 0, access_percent = 0, issue_percent = 0;  ///< DRAM, load and store units, schedulers
  double warps_percent = 0;                                          ///< of those a multiprocessor can hold
  double lanes = 0;                                                  ///< at work in an instruction
};

struct Facts {
  std::string kernel{};
  double launches = 1;  ///< all other numbers are of one
  bool shapes_differ = false;
  std::array<unsigned, 3> grid{1, 1, 1}, block{1, 1, 1}, cluster{1, 1, 1};
  double dynamic_shared_bytes = 0;
  double blocks = 1;
  double counted_share = 1;  ///< of the blocks, that ran

  std::vector<AccessFacts> accesses{};
  std::vector<BarrierFacts> barriers{};
  std::vector<PassFacts> passes{};
  Footprint footprint{};
  double hottest_atomics = 0;  ///< most updates of one address in global memory

  std::optional<CompiledFacts> compiled{};
  std::optional<Times> times{};
  std::optional<NsightFacts> nsight{};

  double threads_per_block() const { return double{1} * block[0] * block[1] * block[2]; }
  double warps_per_block() const { return double((static_cast<long>(threads_per_block()) + 31) / 32); }
  double warps() const { return blocks * warps_per_block(); }
};

/// A copy between host and device, by the line that makes it.
struct CopyFacts {
  SourceLine at{};
  bool to_device = true, pageable = true;
  double copies = 0, bytes = 0;
};

/// A whole program: its kernels, and what crosses the bus.
struct ProgramFacts {
  std::vector<Facts> kernels{};
  std::vector<CopyFacts> copies{};
};

}  // namespace rafter::explain
