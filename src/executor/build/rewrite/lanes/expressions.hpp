// Reads expressions that have no side effects.
#pragma once

#include <map>

#include "executor/build/rewrite/lanes/syntax.hpp"
#include "executor/build/rewrite/rewrite_passes.hpp"

namespace rafter::simt::build::lanes {

/// Thrown where a kernel has something that lanes cannot do, or that is not known here.
struct Unknown {};

using Names = std::map<std::string, Variable*, std::less<>>;

/// The token after a type of numbers or CUDA's vectors that begins at `i`, or `i` if none does. Without const it is in
/// `type`.
int read_type(const Pass& pass, int i, std::string& type);
/// Whether it is one of CUDA's: float4 and its like.
bool is_vector(std::string_view type);

class ExpressionParser {
 public:
  ExpressionParser(const Pass& pass, int i, const Names& names)
      : pass_(pass), tokens_(pass.tokens), i_(i), names_(names) {}

  /// Up to a comma, an assignment or a closing bracket.
  ExpressionPtr expression() { return conditional(); }
  /// What an assignment may have on its left.
  ExpressionPtr postfix();
  int next() const { return i_; }

 private:
  ExpressionPtr conditional();
  ExpressionPtr binary(int weakest);
  ExpressionPtr unary();
  ExpressionPtr primary();
  ExpressionPtr name();
  ExpressionPtr call(int first, std::string function);
  ExpressionPtr make(ExpressionKind kind, int first, std::string text) const;
  void expect(std::string_view text);
  std::string operator_here() const;

  const Pass& pass_;
  const Tokens& tokens_;
  int i_;
  const Names& names_;
};

}  // namespace rafter::simt::build::lanes
