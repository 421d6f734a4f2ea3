// A CUDA program, or one kernel of a file, and how the executor runs it, as the user typed it.
#pragma once

#include <string>
#include <vector>

namespace rafter::simt::command {

enum class Action { exec, check, profile };

struct ProgramRequest {
  Action action = Action::exec;
  std::vector<std::string> build{};  ///< Files and compiler options as nvcc takes them, or a program built with them.
  std::vector<std::string> program_arguments{};  ///< The words after --.
  std::string schedule{};                        ///< A seed; empty: the natural order.
  int n_schedules = 0;                           ///< Seeds to try after the natural order.
  bool checks_members = false;                   ///< Bounds of rows and members, not only of whole arrays.
  double time_limit_s = 0;                       ///< 0: none.
  bool reads_terminal = false;
  bool in_step = false;
  bool leaks = false;
  bool isolate = false;
  bool strict = false;
  bool is_untrusted = false;            ///< Build and run it in a sandbox.
  std::vector<std::string> readable{};  ///< What an untrusted program may read besides the files in `build`.
  int n_threads = 0;                    ///< 0: chosen by the executor.
  std::string kernel{};                 ///< The name of a single kernel to run; empty: the whole program.
  std::vector<std::string> settings{};  ///< NAME=VALUE: sizes, for the expressions below.
  std::string grid{}, block{}, shared{};
  std::vector<std::string> arguments{}, saves{};
};

}  // namespace rafter::simt::command
