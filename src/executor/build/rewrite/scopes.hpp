// The scope around each token of a source: a namespace, a class or a function, and whether it is for host or device.
#pragma once

#include <vector>

#include "executor/build/rewrite/lexer.hpp"

namespace rafter::simt::build {

enum class ScopeKind { file, record, function, initializer };

struct Scope {
  ScopeKind kind = ScopeKind::file;
  bool device = false;       // inside a __global__ or __device__ function
  bool device_only = false;  // inside a __global__ or __device__ function that is not __host__ too
  bool is_template = false;  // the function or class, or one around it
};

class Scopes {
 public:
  explicit Scopes(const Tokens& tokens);

  const Scope& of(int token) const {
    return scopes_[static_cast<std::size_t>(indices_[static_cast<std::size_t>(token)])];
  }
  /// Returns the first token of the declaration or statement that contains `token`.
  int statement(int token) const { return statements_[static_cast<std::size_t>(token)]; }

 private:
  std::vector<Scope> scopes_;
  std::vector<int> indices_;     // of each token
  std::vector<int> statements_;  // first token of its statement
};

/// Returns the index after an attribute (alignas(..), __attribute__((..)), __launch_bounds__(..), [[..]]) at `i`, or
/// `i`.
int skip_attribute(const Tokens& tokens, int i);

}  // namespace rafter::simt::build
