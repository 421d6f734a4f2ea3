// Gathers a range of indices in one thread, group by group. The limit is the number of lines of the table in flight.
// With AVX-512 a group is gathered by instructions that have all of its elements in flight, except for 16-bit elements.
// Elsewhere elements are prefetched before they are read; a prefetch does not stall the instructions after it.
#include "gather/gather_simd.hpp"

#include <type_traits>

#include "library/core/cpu/prefetch.hpp"

namespace rafter::gather_ladder::cpu {

namespace {

/// The prefetch distances and the kind of stores of an instruction-set level.
struct Policy {
  std::int64_t elements_ahead;  // prefetched; 0: none
  std::int64_t indices_ahead;
  bool streams;
};
#if defined(__x86_64__)
#if defined(__AVX512F__)
constexpr bool gathers_itself(std::size_t element_bytes) { return element_bytes >= 4; }
#else
constexpr bool gathers_itself(std::size_t) { return false; }
#endif
constexpr std::int64_t group = 64;
template <class Bits>
constexpr Policy policy =
    gathers_itself(sizeof(Bits))  // the indices are prefetched far ahead, so that no gather waits for its indices
        ? Policy{.elements_ahead = 0, .indices_ahead = 256, .streams = true}
        : Policy{.elements_ahead = 32, .indices_ahead = 288, .streams = true};
constexpr auto level = core::CacheLevel::first;
#else  // Neoverse-V1, 2^24 indices into 2^22, two threads: 28.3 ms; 28.6 at 32 and 128 ahead, 30.1 at 512
constexpr std::int64_t group = 8;
template <class Bits>
constexpr Policy policy{.elements_ahead = 64, .indices_ahead = 0, .streams = false};
constexpr auto level = core::CacheLevel::second;  // prefetching into the first level takes 31 to 34 ms
#endif

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

#if defined(__AVX512F__)
/// Returns the elements of one line as bits. The compiler must not know that the mask is all ones: it would then omit
/// the zeroed source (GCC 12), and the instruction would wait for the previous value of its register.
__m512i line_of(const std::uint32_t* table, const std::int32_t* indices, __mmask16 all) {
  return _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), all, _mm512_loadu_si512(indices), table, 4);
}
__m512i line_of(const std::uint32_t* table, const std::int64_t* indices, __mmask8 all) {
  const auto half = [&](const std::int64_t* first) {
    return _mm512_mask_i64gather_epi32(_mm256_setzero_si256(), all, _mm512_loadu_si512(first), table, 4);
  };
  return __builtin_shufflevector(half(indices), half(indices + 8), 0, 1, 2, 3, 4, 5, 6, 7);
}
__m512i line_of(const std::uint64_t* table, const std::int32_t* indices, __mmask8 all) {
  const __m256i index = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(indices));
  return _mm512_mask_i32gather_epi64(_mm512_setzero_si512(), all, index, table, 8);
}
__m512i line_of(const std::uint64_t* table, const std::int64_t* indices, __mmask8 all) {
  return _mm512_mask_i64gather_epi64(_mm512_setzero_si512(), all, _mm512_loadu_si512(indices), table, 8);
}

/// Gathers a group; all lines are in flight before the first is stored.
template <class Bits, class Index>
void gather_lines(const Bits* table, const Index* indices, Bits* to) {
  constexpr std::int64_t per_line = line_bytes / static_cast<std::int64_t>(sizeof(Bits));
  __m512i lines[group / per_line];
  __mmask16 all = 0xffff;
  __asm__("" : "+k"(all));
  for (std::int64_t k = 0; k < group; k += per_line) {
    const auto mask = static_cast<std::conditional_t<per_line == 16 && sizeof(Index) == 4, __mmask16, __mmask8>>(all);
    lines[k / per_line] = line_of(table, indices + k, mask);
  }
  for (std::int64_t k = 0; k < group; k += per_line) _mm512_storeu_si512(to + k, lines[k / per_line]);
}
#endif

template <class Bits, class Index>
void gather_group(const Bits* table, const Index* indices, Bits* to) {
#if defined(__AVX512F__)
  if constexpr (gathers_itself(sizeof(Bits))) return gather_lines(table, indices, to);
#endif
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
  constexpr std::int64_t ahead = policy<Bits>.elements_ahead;
  const auto* table = static_cast<const Bits*>(args.table);
  const auto* indices = static_cast<const Index*>(args.indices);
  auto* out = static_cast<Bits*>(args.out);
  const bool streamed = policy<Bits>.streams && args.stores == core::Stores::streamed;
  std::int64_t i = first;
  for (; i + group <= last; i += group) {
    for (std::int64_t k = 0; policy<Bits>.indices_ahead > 0 && k < group; k += indices_per_line)
      core::prefetch<level>(indices, i + policy<Bits>.indices_ahead + k);
    if (ahead > 0 && i + ahead + group <= args.n) {
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
