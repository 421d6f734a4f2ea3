// What the rewriter's passes share, and the passes themselves; each is a file of its own.
#pragma once

#include "executor/build/rewrite/edits.hpp"
#include "executor/build/rewrite/rewriter.hpp"
#include "executor/build/rewrite/scopes.hpp"

namespace rafter::simt::build {

struct Pass {
  const Tokens& tokens;
  const Scopes& scopes;
  const Macros& macros;  // of this file and of those around it
  const RewriteOptions& options;
  const std::string& path;
  Edits& edits;
  Rewritten& result;

  void erase(int first, int last) const { edits.erase(tokens[first].begin, tokens[last].end); }
  void insert_before(int token, std::string text) const { edits.insert(tokens[token].begin, std::move(text)); }
  void insert_after(int token, std::string text) const { edits.insert(tokens[token].end, std::move(text)); }
  /// Notes a refusal and puts an error in front of the token.
  void refuse(int token, const std::string& what, const std::string& why) const;
};

/// `k<<<grid, block>>>(args)`.
void rewrite_launches(const Pass& pass);
/// Kernels passed to the runtime as void pointers.
void rewrite_kernel_addresses(const Pass& pass);
/// `extern __shared__`, `static __shared__`, alignas after a qualifier.
void rewrite_shared(const Pass& pass);
/// Variables in device memory; names local to a translation unit; doubled `inline`.
void rewrite_declarations(const Pass& pass);
/// Casts to pointers to wide types: the compiler must not see through them.
void rewrite_casts(const Pass& pass);
/// Objects made in place from what a function returns.
void rewrite_in_place(const Pass& pass);
/// Answers what sources ask of __CUDA_ARCH__.
void rewrite_architecture(const Pass& pass);
/// Shifts by the width or more, in code for kernels.
void rewrite_shifts(const Pass& pass);
/// Calls whose result nothing takes.
void rewrite_discards(const Pass& pass);
/// Rounds of loops with a block barrier.
void rewrite_rounds(const Pass& pass);
/// Kernels that wait for nobody.
void rewrite_loops(const Pass& pass);
/// Structures, whose alignments the counters need.
void note_structures(const Pass& pass);
/// Finds what the executor cannot do.
void find_refusals(const Pass& pass);
/// Finds host code in kernels.
void find_host_code(const Pass& pass);

}  // namespace rafter::simt::build
