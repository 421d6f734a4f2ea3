// A source as a plain build gets it.
#pragma once

#include <string>

#include "simt/build/rewrite/rewriter.hpp"

namespace rafter::simt::test {

enum class Lanes { where_they_gain, wherever_they_can };

inline std::string rewritten_for_plain_builds(const std::string& text, Lanes lanes = Lanes::where_they_gain) {
  build::RewriteOptions options;
  options.loops = true;
  const build::Tokens tokens(text);
  build::collect_macros(tokens, options.macros);
  if (lanes == Lanes::wherever_they_can) options.macros["RAFTER_SIMT_ALL_LANES"];
  options.callees.add(tokens, build::Scopes(tokens));
  options.callees.settle(options.macros);
  return build::rewrite(text, "a.cu", options).text;
}

}  // namespace rafter::simt::test
