// Variables in device memory whose address the host has asked for: from then on a device pointer like any other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

namespace rafter::simt {

enum class SymbolKind : std::uint8_t { device, managed };

class Symbols {
 public:
  struct Variable {
    const std::byte* base;
    std::size_t bytes;  // SIZE_MAX when unknown
    SymbolKind kind;
  };

  void remember(const void* base, std::size_t bytes, SymbolKind kind);
  /// The remembered variable that contains `address`.
  std::optional<Variable> find(const void* address) const;

 private:
  mutable std::mutex mutex_;
  std::map<std::uintptr_t, Variable> variables_;
};

Symbols& symbols();

}  // namespace rafter::simt
