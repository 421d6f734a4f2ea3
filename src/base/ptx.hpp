// PTX mnemonics: the one table that recognises PTX in asm statements, translates it and estimates its cost.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace rafter::base {

enum class PtxKind {
  move,
  conversion,
  arithmetic,
  division,  // also square roots: many instructions unless approximate
  special_function,
  load,
  store,
  copy,
  texture,
  atomic,
  barrier,
  synchronisation,
  warp,
  matrix,
  branch,
  call,
  exit,
  other
};

enum class PtxResult { none, value };

struct PtxMnemonic {
  std::string_view name;
  PtxKind kind;
  PtxResult result;
};

inline constexpr auto ptx_mnemonics = std::to_array<PtxMnemonic>({
#define RAFTER_PTX_MNEMONIC(name, kind, result) {name, PtxKind::kind, PtxResult::result},
#include "base/ptx_instructions.def"
});

/// Returns the mnemonic of an instruction such as "ld.global.u32", or nullptr if it is unknown.
constexpr const PtxMnemonic* find_ptx_mnemonic(std::string_view instruction) {
  const std::string_view name = instruction.substr(0, instruction.find('.'));
  const auto* found = std::find_if(ptx_mnemonics.begin(), ptx_mnemonics.end(),
                                   [&](const PtxMnemonic& one) { return one.name == name; });
  return found == ptx_mnemonics.end() ? nullptr : found;
}

}  // namespace rafter::base
