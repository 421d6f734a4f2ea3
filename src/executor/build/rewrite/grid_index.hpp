// Whether a kernel's body uses its position along x only as blockIdx.x * blockDim.x + threadIdx.x, the index in the
// whole grid. Such a kernel cannot distinguish its block from the next one.
#pragma once

#include <string_view>

#include "executor/build/rewrite/lexer.hpp"
#include "executor/build/rewrite/macros.hpp"

namespace rafter::simt::build {

class GridIndex {
 public:
  GridIndex(const Tokens& tokens, const Macros& macros) : tokens_(tokens), macros_(macros) {}

  /// Whether the tokens use threadIdx.x and blockIdx.x only in that sum.
  bool is_only_use(int first, int last) const;

 private:
  int sum(int i) const;
  int product(int i) const;
  int member(int i, std::string_view name) const;
  bool is_separate(int begin) const;
  bool binds_tighter(int i) const;

  const Tokens& tokens_;
  const Macros& macros_;
};

}  // namespace rafter::simt::build
