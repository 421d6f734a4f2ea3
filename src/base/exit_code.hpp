// The exit codes of the tool's programs.
#pragma once

namespace rafter::base {

inline constexpr int exit_good = 0;
inline constexpr int exit_no = 1;         ///< The answer is no: a wrong result, something slower.
inline constexpr int exit_failed = 2;     ///< The command could not run: bad input, a missing device.
inline constexpr int exit_stopped = 130;  ///< A signal ended the command.

}  // namespace rafter::base
