// A source that tests __CUDA_ARCH__ outside device code is compiled twice, as nvcc does: for the host, where the macro
// is undefined, and for the device. Each compilation contains all functions, because templates are instantiated from
// host code. The two outputs are combined into one object:
// - Kernels and device functions come from the device's side. The host's definitions of them become unreachable.
// - All other functions exist on both sides, and each side calls its own. The device's are local to the object; other
//   sources find them under another name.
// - Variables in device memory come from the device's side, other variables at namespace scope from the host's. Each
//   side has its own static local variables, constants and virtual tables.
// - The device's static initialisers do not run.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace rafter::simt::build {

/// The assembly of both sides.
struct Sides {
  std::string host, device;
  /// Symbols that are local to the object but used by both sides. In the texts they are global and have
  /// `shared_suffix`.
  std::set<std::string> shared;
};

inline constexpr std::string_view shared_suffix = ".rafter_shared";

/// The device's version of a function for host and device that other sources may call.
inline constexpr std::string_view device_suffix = ".rafter_device";

/// Names in the source, without namespaces and parameters.
struct NamesOfSides {
  const std::set<std::string>& device;  // of functions and variables for the device only
  const std::set<std::string>& common;  // of functions for host and device
};

/// Edits the assembly of a source's two compilations so that their objects can be linked together. Throws Error
/// (unsupported) if the host launches a kernel that the device's side lacks.
Sides combine_sides(std::string_view host, std::string_view device, const NamesOfSides& names);

/// Whether a mangled name refers to one of these names.
bool names_symbol(const std::string& symbol, const std::set<std::string>& names);

}  // namespace rafter::simt::build
