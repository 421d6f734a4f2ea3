// The element types that arguments of user kernels may have.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace rafter::bench {

enum class ElementType { boolean, f16, bf16, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64 };

struct ElementTypeEntry {
  ElementType type;
  std::string_view name;
  int bytes;
};

/// The types in the order of the enumerators.
inline constexpr std::array element_types{
    ElementTypeEntry{ElementType::boolean, "bool", 1}, ElementTypeEntry{ElementType::f16, "f16", 2},
    ElementTypeEntry{ElementType::bf16, "bf16", 2},    ElementTypeEntry{ElementType::f32, "f32", 4},
    ElementTypeEntry{ElementType::f64, "f64", 8},      ElementTypeEntry{ElementType::i8, "i8", 1},
    ElementTypeEntry{ElementType::i16, "i16", 2},      ElementTypeEntry{ElementType::i32, "i32", 4},
    ElementTypeEntry{ElementType::i64, "i64", 8},      ElementTypeEntry{ElementType::u8, "u8", 1},
    ElementTypeEntry{ElementType::u16, "u16", 2},      ElementTypeEntry{ElementType::u32, "u32", 4},
    ElementTypeEntry{ElementType::u64, "u64", 8}};

constexpr std::string_view name(ElementType type) { return element_types[static_cast<std::size_t>(type)].name; }
constexpr std::int64_t bytes_of(ElementType type) { return element_types[static_cast<std::size_t>(type)].bytes; }

constexpr bool is_float(ElementType type) {
  return type == ElementType::f16 || type == ElementType::bf16 || type == ElementType::f32 || type == ElementType::f64;
}
constexpr bool is_signed_integer(ElementType type) { return type >= ElementType::i8 && type <= ElementType::i64; }

/// Returns the type called "f32", or nothing for an unknown name.
constexpr std::optional<ElementType> element_type_called(std::string_view wanted) {
  for (const ElementTypeEntry& entry : element_types) {
    if (entry.name == wanted) return entry.type;
  }
  return std::nullopt;
}

}  // namespace rafter::bench
