// Which side's definition of each symbol the program uses.
#pragma once

#include <set>
#include <string_view>
#include <unordered_map>

#include "executor/build/sides/assembly.hpp"
#include "executor/build/sides/symbols.hpp"

namespace rafter::simt::build {

/// The treatment of a side's definition of a symbol.
enum class Fate {
  keep,
  localise,  // not visible to other objects
  bury,      // a function that nothing refers to any more
  drop,      // an object that is removed
};

/// One side's decisions. Symbols that are not listed stay as they are.
struct SidePlan {
  std::unordered_map<std::string_view, Fate> fates;
  std::unordered_map<std::string_view, std::string_view> suffixes;  // of symbols that get another name
  std::set<std::string_view> defines_shared;
  /// Symbols that neither side defines and only unreachable code refers to, for example host code on the device's side.
  std::set<std::string_view> missing;

  Fate fate_of(std::string_view name) const {
    const auto found = fates.find(name);
    return found == fates.end() ? Fate::keep : found->second;
  }
};

struct Plan {
  SidePlan host, device;
  std::set<std::string_view> shared;              // local symbols that both sides use
  std::set<std::string_view> exported, imported;  // the device's functions that other sources call or define
};

/// Throws Error (unsupported) if the host launches a kernel that the device's side lacks.
Plan make_plan(const Symbols& host, const Symbols& device, const NamesOfSides& names);

}  // namespace rafter::simt::build
