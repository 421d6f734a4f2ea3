// Translates CUDA C++ into C++ for the executor's headers: launches, shared memory, variables in device memory. Works
// on tokens and keeps every line at its line number.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "executor/build/rewrite/callees.hpp"
#include "executor/build/rewrite/macros.hpp"

namespace rafter::simt::build {

/// Returns the unimplemented library that a header belongs to, or an empty string.
std::string_view library_of(std::string_view header);
inline constexpr std::string_view not_implemented = "the executor does not implement it";

/// A construct that the executor does not support.
struct Refusal {
  std::string file;
  int line;
  std::string what;
  std::string why;
};

/// The compilation that a text is for: one for host and device, or one of two (sides/assembly.hpp).
enum class Side { both, host, device };

/// The name in an #include line.
struct Include {
  std::string name;
  bool angled;
};

struct RewriteOptions {
  Macros macros;  // defined elsewhere: in headers, on the command line
  /// Device functions and variables become static: without -rdc=true, nvcc keeps them local to their translation unit.
  bool local_device_names = false;
  /// Kernels whose threads are independent become loops over threads, if they call only functions that `callees` knows
  /// to be harmless.
  bool loops = false;
  /// The program gets tables of the sizes and alignments of its structures and of the names of kernels' parameters.
  bool structures = false;
  Callees callees;
  Side side = Side::both;
  /// Returns the file that an #include should read instead, or nothing to leave the line unchanged.
  std::function<std::optional<std::string>(const Include&)> redirect;
};

struct Rewritten {
  std::string text;      // begins with a #line that names the original
  bool changed;          // whether anything but that line was added
  bool inter_block;      // uses atomics, fences, volatile or grid-wide groups: blocks may wait for each other
  bool declares_arrays;  // local to a thread, or constant: their bounds are checked
  bool names_volatile;   // a thread may poll a variable without a call that lets other threads run
  bool has_loops;        // a kernel became a loop over its threads
  bool has_lanes;        // and also has a vectorised form
  bool has_spins;        // a loop of a kernel only waits for a variable
  std::vector<std::string> headers{};  // of the executor that the text needs, besides all.hpp
  bool uses_ptx;                       // inline PTX was translated
  bool depends_on_side;       // host and device see different code: __CUDA_ARCH__ is tested outside device functions
  bool has_computed_include;  // `#include MACRO`: the included file is unknown
  /// The refusals in the text, including conditional code. The text itself carries an error at each place, so that only
  /// code that is really compiled is refused (see diagnostics.hpp).
  std::vector<Refusal> refusals;
  std::set<std::string> device_names;  // functions and variables that nvcc keeps local to a translation unit
  std::set<std::string> common_names;  // functions for host and device
};

Rewritten rewrite(const std::string& text, const std::string& path, const RewriteOptions& options = {});

/// Returns the lines that include an executor header.
std::string include_lines(const std::string& header);

/// Returns the includes of a text, except those disabled by `#if 0`.
std::vector<Include> includes(const Tokens& tokens);

/// Marks a refusal in a compiler's message; the construct and the reason follow, separated by ": ".
inline constexpr std::string_view refusal_mark = "rafter refuses ";

}  // namespace rafter::simt::build
