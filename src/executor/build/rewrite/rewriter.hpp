// Turns CUDA C++ into C++ for the executor's headers: launches, shared memory, variables in device memory. Works on
// tokens and keeps every line where it was.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "executor/build/rewrite/callees.hpp"
#include "executor/build/rewrite/macros.hpp"

namespace rafter::simt::build {

/// The library that a header belongs to and that the executor has nothing of, by its name; or nothing.
std::string_view library_of(std::string_view header);
inline constexpr std::string_view no_stand_in = "the executor has no stand-in for it";

/// Something the executor cannot do.
struct Refusal {
  std::string file;
  int line;
  std::string what;
  std::string why;
};

/// What an #include line names.
struct Include {
  std::string name;
  bool angled;
};

struct RewriteOptions {
  Macros macros;  // defined elsewhere: in headers, on the command line
  /// Device functions and variables become static, as without -rdc=true nvcc keeps them to their translation unit.
  bool local_device_names = false;
  /// Kernels that wait for nobody become loops over their threads, as far as `callees` has only functions that do so.
  bool loops = false;
  /// The program shall know the sizes and alignments of its structures.
  bool structures = false;
  Callees callees;
  /// The file an #include shall read instead, or nothing to leave the line as it is.
  std::function<std::optional<std::string>(const Include&)> redirect;
};

struct Rewritten {
  std::string text;           // begins with a #line that names the original
  bool changed;               // whether more than that line was added
  bool inter_block;           // names atomics, fences, volatile or grid-wide groups: blocks may wait for one another
  bool declares_arrays;       // of a thread's own, or of constants: their bounds are to be checked
  bool names_volatile;        // a thread may wait for a variable without a call that lets others run
  bool has_loops;             // a kernel became a loop over its threads
  bool has_lanes;             // and is written for the lanes of a vector, too
  bool uses_ptx;              // some was translated
  bool has_computed_include;  // `#include MACRO`: what it reads is not known here
  /// What the text shows, conditional code included. The text itself carries an error at each place, so that only
  /// what is really compiled is refused (see diagnostics.hpp).
  std::vector<Refusal> refusals;
  std::set<std::string> device_names;  // functions and variables that nvcc keeps local to a translation unit
};

Rewritten rewrite(const std::string& text, const std::string& path, const RewriteOptions& options = {});

/// The includes of a text, those that `#if 0` hides left out.
std::vector<Include> includes(const Tokens& tokens);

/// In front of each refusal in a compiler's message; what and why follow, parted by ": ".
inline constexpr std::string_view refusal_mark = "rafter refuses ";

}  // namespace rafter::simt::build
