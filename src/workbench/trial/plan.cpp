#include "workbench/trial/plan.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>

namespace rafter::trial {

namespace {

bool is_array(const lab::ExerciseArgument& argument) { return argument.role != lab::ArgumentRole::scalar; }

/// Returns the parts of an argument that `bytes` contains: all of it, or the pieces of a huge array.
std::vector<lab::Piece> pieces_of(const lab::ExerciseArgument& argument) {
  if (argument.huge_bytes > 0) return argument.pieces;
  return {{0, std::ssize(argument.bytes)}};
}

}  // namespace

std::string plan_of(const lab::ExerciseCase& one, const ArgumentOrder& order) {
  std::string plan;
  const auto put = [&](const auto& value) { plan.append(reinterpret_cast<const char*>(&value), sizeof value); };
  for (const lab::Extents& extents : {one.grid, one.block}) {
    for (const std::int64_t n : {extents.x, extents.y, extents.z}) put(static_cast<std::uint32_t>(n));
  }
  put(static_cast<std::uint32_t>(order.size()));
  for (const std::size_t which : order) {
    const lab::ExerciseArgument& argument = one.arguments[which];
    put(static_cast<std::uint32_t>(!is_array(argument) ? 0 : argument.is_written ? 1 : 2));
    char type[8] = {};
    std::memcpy(type, argument.type.data(), std::min<std::size_t>(argument.type.size(), 7));
    put(type);
    put(std::max(argument.huge_bytes, std::ssize(argument.bytes)));
    const std::vector<lab::Piece> pieces = pieces_of(argument);
    put(static_cast<std::uint64_t>(pieces.size()));
    for (const lab::Piece& piece : pieces) {
      put(piece.offset);
      put(piece.bytes);
    }
    plan.append(reinterpret_cast<const char*>(argument.bytes.data()), argument.bytes.size());
  }
  return plan;
}

std::optional<lab::ArraysAfter> arrays_in(std::string_view saved, const lab::ExerciseCase& one,
                                          const ArgumentOrder& order) {
  lab::ArraysAfter after(one.arguments.size());
  std::size_t at = 0;
  for (const std::size_t which : order) {
    const lab::ExerciseArgument& argument = one.arguments[which];
    const std::size_t bytes = is_array(argument) ? argument.bytes.size() : 0;
    if (at + bytes > saved.size()) return std::nullopt;
    const auto part = std::as_bytes(std::span(saved)).subspan(at, bytes);
    after[which].assign(part.begin(), part.end());
    at += bytes;
  }
  return after;
}

}  // namespace rafter::trial
