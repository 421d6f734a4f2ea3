// Rewrites a source as in a plain build.
#pragma once

#include <string>

#include "executor/build/rewrite/rewriter.hpp"

namespace rafter::simt::test {

enum class Lanes { where_they_gain, wherever_they_can };

inline std::string rewritten_for_plain_builds(const std::string& text, Lanes lanes = Lanes::where_they_gain) {
  build::RewriteOptions options;
  options.loops = true;
  const build::Tokens tokens(text);
  build::collect_macros(tokens, options.macros);
  if (lanes == Lanes::wherever_they_can) options.macros["RAFTER_SIMT_ALL_LANES"];
  options.callees.add(tokens, build::Scopes(tokens));
  options.callees.propagate(options.macros);
  return build::rewrite(text, "a.cu", options).text;
}

/// Returns the number of kernels that can be vectorised.
inline int n_in_lanes(const std::string& text) {
  const std::string rewritten = rewritten_for_plain_builds(text, Lanes::wherever_they_can);
  int n = 0;
  for (std::size_t at = 0; (at = rewritten.find("in_lanes(", at)) != std::string::npos; ++at) ++n;
  return n;
}

}  // namespace rafter::simt::test
