// Gathers a range of indices in one thread, group by group. The limit is the number of lines of the table in flight:
// elements of tables larger than a core's caches are prefetched before they are read; a prefetch does not stall the
// instructions after it. AVX-512's gather instructions are not used: with the microcode that closes their side channel
// they take twice as long as single loads (Xeon, Cascade Lake).
#include "gather/gather_simd.hpp"

#include <type_traits>

#include "library/core/cpu/prefetch.hpp"

namespace rafter::gather_ladder::cpu {

namespace {

/// The prefetch distances and the kind of stores.
struct Policy {
  std::int64_t elements_ahead;
  std::int64_t indices_ahead;  // 0: none
  bool streams;
};
#if defined(__x86_64__)
constexpr std::int64_t group = 64;
constexpr Policy policy{.elements_ahead = 32, .indices_ahead = 288, .streams = true};
constexpr auto level = core::CacheLevel::first;
#else  // Neoverse-V1, 2^24 indices into 2^22, two threads: 28.3 ms; 28.6 at 32 and 128 ahead, 30.1 at 512
constexpr std::int64_t group = 8;
constexpr Policy policy{.elements_ahead = 64, .indices_ahead = 0, .streams = false};
constexpr auto level = core::CacheLevel::second;  // prefetching into the first level takes 31 to 34 ms
#endif
constexpr std::int64_t near_table_bytes = 1 << 20;  // stays in a core's caches: prefetching would only cost time

// One branch checks `group` indices. If outputs are streamed, a group is a number of whole lines.
constexpr std::int64_t line_bytes = 64;

/// Whether all indices of a group are inside the table. As unsigned numbers, negative ones exceed every limit.
template <class Index>
bool all_in_table(const Index* indices, std::int64_t n_table) {
  using Unsigned = std::make_unsigned_t<Index>;
  constexpr std::uint64_t n_indices = ~Unsigned{0} / 2 + std::uint64_t{1};
  const auto wanted = static_cast<std::uint64_t>(n_table);
  const auto limit = static_cast<Unsigned>(wanted < n_indices ? wanted : n_indices);
  Unsigned bad = 0;
  for (std::int64_t k = 0; k < group; ++k) bad |= static_cast<Unsigned>(indices[k]) >= limit ? 1 : 0;
  return bad == 0;
}

template <class Bits, class Index>
void gather_group(const Bits* table, const Index* indices, Bits* to) {
  for (std::int64_t k = 0; k < group; ++k) __builtin_memcpy(to + k, table + indices[k], sizeof(Bits));
}

/// Gathers a group and writes whole lines of the output with streaming stores.
template <class Bits, class Index>
void stream_group(const Bits* table, const Index* indices, Bits* to) {
  alignas(line_bytes) Bits buffer[group];
  gather_group(table, indices, buffer);
  constexpr std::int64_t per_line = line_bytes / static_cast<std::int64_t>(sizeof(Bits));
  for (std::int64_t k = 0; k + per_line <= group; k += per_line) core::streaming_copy_line(to + k, buffer + k);
}

template <class Bits, class Index>
std::int64_t gather_groups(const LoopArgs& args, std::int64_t first, std::int64_t last) {
  constexpr std::int64_t indices_per_line = line_bytes / static_cast<std::int64_t>(sizeof(Index));
  constexpr std::int64_t ahead = policy.elements_ahead;
  const auto* table = static_cast<const Bits*>(args.table);
  const auto* indices = static_cast<const Index*>(args.indices);
  auto* out = static_cast<Bits*>(args.out);
  const bool streamed = policy.streams && args.stores == core::Stores::streamed;
  const bool is_far = args.n_table * static_cast<std::int64_t>(sizeof(Bits)) > near_table_bytes;
  std::int64_t i = first;
  for (; i + group <= last; i += group) {
    for (std::int64_t k = 0; policy.indices_ahead > 0 && k < group; k += indices_per_line)
      core::prefetch<level>(indices, i + policy.indices_ahead + k);
    if (is_far && i + ahead + group <= args.n) {
      for (std::int64_t k = 0; k < group; ++k) core::prefetch<level>(table, indices[i + ahead + k]);
    }
    if (!args.trusted && !all_in_table(indices + i, args.n_table)) break;
    if (streamed) {
      stream_group(table, indices + i, out + i);
    } else {
      gather_group(table, indices + i, out + i);
    }
  }
  return i;
}

}  // namespace

RAFTER_ISA_TABLE(GatherLoops, gather_loops) = {
    group,
    {{gather_groups<std::uint16_t, std::int32_t>, gather_groups<std::uint16_t, std::int64_t>},
     {gather_groups<std::uint32_t, std::int32_t>, gather_groups<std::uint32_t, std::int64_t>},
     {gather_groups<std::uint64_t, std::int32_t>, gather_groups<std::uint64_t, std::int64_t>}}};

}  // namespace rafter::gather_ladder::cpu
