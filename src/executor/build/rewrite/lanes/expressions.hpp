// Parses expressions without side effects.
#pragma once

#include <map>

#include "executor/build/rewrite/lanes/syntax.hpp"
#include "executor/build/rewrite/rewrite_passes.hpp"

namespace rafter::simt::build::lanes {

/// Thrown when a kernel contains a construct that cannot be vectorised or is unknown.
struct Unknown {};

using Names = std::map<std::string, Variable*, std::less<>>;

/// Returns the token after an arithmetic type or CUDA vector type that begins at `i`, or `i` if there is none. Stores
/// the type without const in `type`.
int read_type(const Pass& pass, int i, std::string& type);
/// Whether a type is one of CUDA's vector types: float4 and the like.
bool is_vector(std::string_view type);

class ExpressionParser {
 public:
  ExpressionParser(const Pass& pass, int i, const Names& names)
      : pass_(pass), tokens_(pass.tokens), i_(i), names_(names) {}

  /// Parses up to a comma, an assignment or a closing bracket.
  ExpressionPtr expression() { return conditional(); }
  /// Parses the left side of an assignment.
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
