// Device variables with an address that the host has requested: from then on it is a valid device pointer.
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
  /// Returns the known variable that contains `address`.
  std::optional<Variable> find(const void* address) const;

 private:
  mutable std::mutex mutex_;
  std::map<std::uintptr_t, Variable> variables_;
};

Symbols& symbols();

}  // namespace rafter::simt
