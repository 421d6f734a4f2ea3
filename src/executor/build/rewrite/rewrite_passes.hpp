// The rewriter's passes and the state they share. Each pass has its own file.
#pragma once

#include "executor/build/rewrite/edits.hpp"
#include "executor/build/rewrite/rewriter.hpp"
#include "executor/build/rewrite/scopes.hpp"

namespace rafter::simt::build {

struct Pass {
  const Tokens& tokens;
  const Scopes& scopes;
  const Macros& macros;  // of this file and of the files that include it or that it includes
  const RewriteOptions& options;
  const std::string& path;
  Edits& edits;
  Rewritten& result;

  void erase(int first, int last) const { edits.erase(tokens[first].begin, tokens[last].end); }
  void insert_before(int token, std::string text) const { edits.insert(tokens[token].begin, std::move(text)); }
  void insert_after(int token, std::string text) const { edits.insert(tokens[token].end, std::move(text)); }
  /// Records a refusal and inserts an error before the token.
  void refuse(int token, const std::string& what, const std::string& why) const;
};

/// Rewrites `k<<<grid, block>>>(args)`.
void rewrite_launches(const Pass& pass);
/// Rewrites kernels that are passed to the runtime as void pointers.
void rewrite_kernel_addresses(const Pass& pass);
/// Rewrites `extern __shared__`, `static __shared__` and alignas after a qualifier.
void rewrite_shared(const Pass& pass);
/// Places variables in device memory, makes names local to a translation unit, and drops duplicate `inline`s.
void rewrite_declarations(const Pass& pass);
/// Rewrites casts to pointers to wide types, so that the compiler cannot see through them.
void rewrite_casts(const Pass& pass);
/// Rewrites objects that are constructed in place from a function's return value.
void rewrite_copy_elision(const Pass& pass);
/// Adds the keyword `template` to calls of member templates.
void rewrite_template_names(const Pass& pass);
/// Evaluates tests of __CUDA_ARCH__.
void rewrite_architecture(const Pass& pass);
/// Rewrites shifts by the type's width or more in device code.
void rewrite_shifts(const Pass& pass);
/// Marks calls whose result is discarded.
void rewrite_discards(const Pass& pass);
/// Lets other threads run in loops that only wait for a variable.
void rewrite_spins(const Pass& pass);
/// Counts the iterations of loops with a block barrier.
void count_iterations(const Pass& pass);
/// Marks the places where threads leave a kernel, in checked builds.
void mark_departures(const Pass& pass);
/// Marks variables that a shuffle initialises, and their uses, in checked builds.
void mark_shuffled_variables(const Pass& pass);
/// Turns kernels whose threads are independent into loops over threads.
void rewrite_loops(const Pass& pass);
/// Emits the sizes and alignments of structures, which the counters need.
void note_structures(const Pass& pass);
/// Emits the names of the kernels' parameters, which findings name.
void note_parameters(const Pass& pass);
/// Finds constructs that the executor does not support.
void find_refusals(const Pass& pass);
/// Finds host code in kernels.
void find_host_code(const Pass& pass);

}  // namespace rafter::simt::build
