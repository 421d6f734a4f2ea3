// TMA tiles: which bytes of the array a tensor map copies to which bytes of shared memory.
#include <algorithm>
#include <cstdint>

#include "executor/engine/async/async.hpp"

namespace rafter::simt {
namespace {

constexpr int chunk_bytes = 16;  // the unit of swizzling

/// A row of a tile: its address in both memories, and its elements that lie in the array.
struct Row {
  std::byte* global;   // its first element; may lie outside of the array
  std::size_t offset;  // in the tile, bytes
  int first, end;      // elements in the array
  int y;
};

template <class F>
void for_rows(const rafter_simt::TensorMap& map, const int* at, F&& f) {
  int n_rows = 1;
  for (int axis = 1; axis < map.rank; ++axis) n_rows *= map.tile[axis];
  const std::size_t row_bytes = static_cast<std::size_t>(map.tile[0]) * static_cast<std::size_t>(map.element_bytes);
  for (int row = 0; row < n_rows; ++row) {
    auto* global = static_cast<std::byte*>(const_cast<void*>(map.data)) + std::int64_t{at[0]} * map.element_bytes;
    bool is_inside_array = true;
    for (int axis = 1, rest = row; axis < map.rank; rest /= map.tile[axis], ++axis) {
      const std::int64_t place = std::int64_t{at[axis]} + rest % map.tile[axis];
      is_inside_array = is_inside_array && place >= 0 && place < map.extent[axis];
      global += place * map.stride[axis];
    }
    const auto first = std::clamp<std::int64_t>(-std::int64_t{at[0]}, 0, map.tile[0]);
    const auto end = std::clamp<std::int64_t>(map.extent[0] - at[0], first, map.tile[0]);
    f(Row{global, static_cast<std::size_t>(row) * row_bytes, static_cast<int>(first),
          static_cast<int>(is_inside_array ? end : first), map.rank > 1 ? row % map.tile[1] : 0});
  }
}

// Replaces bits 4 to 6 of the address by their XOR with bits 7 to 9; narrower swizzles use fewer bits.
std::uintptr_t swizzled(const rafter_simt::TensorMap& map, std::uintptr_t address) {
  return map.swizzle == 0 ? address
                          : address ^ (address >> 7 & static_cast<std::uintptr_t>(map.swizzle / chunk_bytes - 1)) << 4;
}

/// Calls f(address in shared memory, offset in the row, bytes) for each contiguous piece of a row's bytes [first, end).
template <class F>
void for_chunks(const rafter_simt::TensorMap& map, const std::byte* row, std::size_t first, std::size_t end, F&& f) {
  for (std::size_t at = first; at < end;) {
    const std::size_t stop = map.swizzle == 0 ? end : std::min(end, (at / chunk_bytes + 1) * chunk_bytes);
    const auto address = reinterpret_cast<std::uintptr_t>(row) + at;
    f(reinterpret_cast<std::byte*>(swizzled(map, address)), at, static_cast<std::uint32_t>(stop - at));
    at = stop;
  }
}

}  // namespace

AsyncCopy describe_tma_load(const rafter_simt::TensorMap& map, const int* at, std::byte* shared, int unused_x,
                            int unused_y) {
  AsyncCopy copy;
  const auto size = static_cast<std::size_t>(map.element_bytes);
  for_rows(map, at, [&](const Row& row) {
    const auto in_bytes = [&](int element) { return static_cast<std::size_t>(element) * size; };
    const bool is_used = row.y >= unused_y && row.y < (map.rank > 1 ? map.tile[1] : 1) - unused_y;
    const int used_first = is_used ? unused_x : 0, used_end = is_used ? map.tile[0] - unused_x : 0;
    const int first = std::clamp(row.first, used_first, used_end), end = std::clamp(row.end, first, used_end);
    std::byte* to = shared + row.offset;
    const auto zeros = [&](std::byte* where, std::size_t, std::uint32_t bytes) {
      copy.ranges.push_back({where, nullptr, bytes});
    };
    const auto left_out = [&](std::byte* where, std::size_t, std::uint32_t bytes) {
      copy.unused.push_back({where, nullptr, bytes});
    };
    for_chunks(map, to, 0, in_bytes(used_first), left_out);
    for_chunks(map, to, in_bytes(used_first), in_bytes(first), zeros);
    for_chunks(map, to, in_bytes(first), in_bytes(end), [&](std::byte* where, std::size_t offset, std::uint32_t bytes) {
      copy.ranges.push_back({where, row.global + offset, bytes});
    });
    for_chunks(map, to, in_bytes(end), in_bytes(used_end), zeros);
    for_chunks(map, to, in_bytes(used_end), in_bytes(map.tile[0]), left_out);
    copy.bytes += static_cast<std::int64_t>(in_bytes(map.tile[0]));
  });
  return copy;
}

AsyncCopy describe_tma_store(const rafter_simt::TensorMap& map, const int* at, const std::byte* shared) {
  AsyncCopy copy;
  const auto size = static_cast<std::size_t>(map.element_bytes);
  for_rows(map, at, [&](const Row& row) {
    for_chunks(map, shared + row.offset, static_cast<std::size_t>(row.first) * size,
               static_cast<std::size_t>(row.end) * size,
               [&](std::byte* where, std::size_t offset, std::uint32_t bytes) {
                 copy.ranges.push_back({row.global + offset, where, bytes});
               });
  });
  return copy;
}

}  // namespace rafter::simt
