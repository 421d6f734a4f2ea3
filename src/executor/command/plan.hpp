// A request with everything parsed and every expression evaluated.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "executor/command/request.hpp"

namespace rafter::simt::command {

struct ProgramPlan {
  Action action = Action::exec;
  std::vector<std::string> build{};      ///< Files and compiler options, or a program.
  std::string kernel{};                  ///< Empty: the whole program.
  std::vector<std::string> arguments{};  ///< The arguments of the program, or of the driver around the kernel.
  std::string runtime_options{};         ///< The part of RAFTER_SIMT that stays the same in every run.
  int n_schedules = 0;                   ///< Seeds to try after the natural order.
  bool checks_members = false;
  double time_limit_s = 0;  ///< 0: none.
  bool in_step = false;
  bool strict = false;
  bool reads_terminal = false;
  bool keeps_stdout = false;  ///< The program writes to standard error, since standard output has the results.
  bool is_silent = false;     ///< The output of the program is discarded.
  std::int64_t sample = 0;    ///< The number of blocks of each launch that run; 0: all.
  bool is_untrusted = false;  ///< Build and run it in a sandbox.
  std::vector<std::string> readable{};  ///< What an untrusted program may read besides the files in `build`.
  double patience_s = 0;                ///< The time after which a launch without progress is ended; 0: the executor's.

  /// Whether every load and store calls the runtime.
  bool is_hooked() const { return action != Action::exec || in_step; }
};

/// Parses a request. With sizes, a kernel parameter named like a size and without an argument gets its value. Throws
/// Error (bad_argument, io).
ProgramPlan parse_plan(const ProgramRequest& request);

}  // namespace rafter::simt::command
