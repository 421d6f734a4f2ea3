// Whether a kernel's body asks where it is along x only by blockIdx.x * blockDim.x + threadIdx.x, the index in the
// whole grid: then it cannot tell its block from the next one.
#pragma once

#include <string_view>

#include "executor/build/rewrite/lexer.hpp"
#include "executor/build/rewrite/macros.hpp"

namespace rafter::simt::build {

class GridIndex {
 public:
  GridIndex(const Tokens& tokens, const Macros& macros) : tokens_(tokens), macros_(macros) {}

  /// Whether all that the tokens ask for of threadIdx.x and blockIdx.x is that sum.
  bool is_all_of(int first, int last) const;

 private:
  int sum(int i) const;
  int product(int i) const;
  int member(int i, std::string_view name) const;
  bool may_stand_before(int begin) const;
  bool binds_stronger(int i) const;

  const Tokens& tokens_;
  const Macros& macros_;
};

}  // namespace rafter::simt::build
