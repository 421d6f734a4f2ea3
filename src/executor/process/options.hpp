// How this process executes: read once from RAFTER_SIMT, or set by a program that links the executor.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rafter::simt {

enum class Mode : std::uint8_t { plain, check, count };

struct Options {
  Mode mode = Mode::plain;
  int n_workers = 0;                      // OS threads for blocks; 0: as many as the machine has cores
  std::optional<std::uint64_t> schedule;  // permutes warps and blocks
  bool in_step = false;                   // lanes take turns at every access
  bool leaks = false;
  bool isolate = false;        // allocations lie far apart, and no address is given out twice
  bool strict = false;         // what works on GPUs of today but nobody promises is a finding, not a note
  bool judged = false;         // who runs the program judges the arrays it gives back, whole or not
  std::int64_t sample = 0;     // of each grid only so many blocks run, the first and the last among them; 0: all
  double time_limit_s = 0;     // without progress; 0: the mode's own
  double launch_limit_s = 0;   // for a launch as a whole; 0: none
  double program_limit_s = 0;  // from the start of the process to the end of its launches; 0: none
  int capability = 90;         // the device's compute capability, tenfold
  std::string report_path;

  /// Without an observer a thread may be at work for long: only who asks for a limit gets one.
  double patience_s() const { return time_limit_s > 0 ? time_limit_s : mode == Mode::plain ? 1e9 : 20; }

  /// The shared memory of one of the device's multiprocessors, as GPUs of its compute capability have it.
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
/// "mode=check;schedule=7;workers=1;leaks=1;isolate=1;strict=1;judged=1;sample=2;in_step=1;capability=80;
/// time_limit=20;launch_limit=60;program_limit=90;report=PATH"; unknown words throw.
Options parse_options(std::string_view text);
void set_options(const Options& options);

}  // namespace rafter::simt
