// Options of the executor: read once from RAFTER_SIMT, or set by a program that links the executor.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rafter::simt {

enum class Mode : std::uint8_t { plain, check, count };

struct Options {
  Mode mode = Mode::plain;
  int n_workers = 0;                      // OS threads that run blocks; 0: one per core
  std::optional<std::uint64_t> schedule;  // seed that permutes the order of warps and blocks
  bool in_step = false;                   // lockstep: lanes alternate at every access
  bool leaks = false;
  bool isolate = false;        // places allocations far apart and never reuses an address
  bool strict = false;         // reports code that works on current GPUs without a guarantee as a finding, not a note
  bool judged = false;         // the caller checks the arrays, so copies of uninitialised bytes are not reported
  std::int64_t sample = 0;     // blocks to run of each grid, including the first and the last; 0: all
  double time_limit_s = 0;     // limit without progress; 0: the mode's default
  double launch_limit_s = 0;   // limit for a launch; 0: none
  double program_limit_s = 0;  // limit from the start of the process to the end of its launches; 0: none
  int capability = 90;         // compute capability of the device, times 10
  std::string report_path;

  /// The limit without progress. A plain run has none unless one is set, because a thread may compute for long.
  double patience_s() const { return time_limit_s > 0 ? time_limit_s : mode == Mode::plain ? 1e9 : 20; }

  /// The shared memory of one multiprocessor at this compute capability.
  int shared_bytes_per_sm() const {
    switch (capability) {
      case 80: return 164 << 10;
      case 86:
      case 89:
      case 120: return 100 << 10;
      default: return 228 << 10;
    }
  }
};

const Options& options();
/// Parses "mode=check;schedule=7;workers=1;leaks=1;isolate=1;strict=1;judged=1;sample=2;in_step=1;capability=80;
/// time_limit=20;launch_limit=60;program_limit=90;report=PATH". Throws on an unknown key.
Options parse_options(std::string_view text);
void set_options(const Options& options);

}  // namespace rafter::simt
