// chunked: the element of in[0, n) with the greatest key (extrema_order.hpp). The threads search fixed chunks. Where
// the index is wanted, a chunk remembers the block of 16 KiB that has the greatest key first, and only that block is
// searched for it: indices cost nothing per element. Bound by the read bandwidth of memory.
#include <algorithm>
#include <array>

#include "extrema/extrema_rung.hpp"
#include "extrema/extrema_simd.hpp"
#include "library/core/arithmetic.hpp"
#include "library/core/parts.hpp"

namespace rafter::extrema_ladder::cpu {

namespace {

constexpr std::int64_t max_chunks = 1024;
constexpr std::int64_t min_chunk_bytes = 64 << 10;  // long enough to hide the cost of scheduling a chunk
constexpr std::int64_t block_bytes = 16 << 10;      // its second reading, for the index, is from the L1 cache

/// The greatest key of a chunk, and where the first block that has it begins.
template <class Word>
struct Best {
  Word key;
  std::int64_t block;
};

template <class Word>
Best<Word> best_of(const Word* in, std::int64_t first, std::int64_t last, const Order<Word>& order, bool wants_index) {
  const ExtremaLoops& loops = extrema_loops();
  if (!wants_index) return {loops(in + first, last - first, order), first};
  constexpr std::int64_t per_block = block_bytes / static_cast<std::int64_t>(sizeof(Word));
  Best<Word> best{loops(in + first, std::min(per_block, last - first), order), first};
  for (std::int64_t block = first + per_block; block < last; block += per_block) {
    const Word key = loops(in + block, std::min(per_block, last - block), order);
    if (key > best.key) best = {key, block};
  }
  return best;
}

}  // namespace

extern const ExtremaRung chunked{[]<class T>(const Stream& stream, ExtremaArgs<T> args) {
  using Word = WordOf<T>;
  const Word* in = words_of(args.in.data());
  const Order<Word> order = order_of<T>(args.which);
  const std::int64_t n = std::ssize(args.in);
  constexpr std::int64_t least_chunk = min_chunk_bytes / static_cast<std::int64_t>(sizeof(Word));
  const std::int64_t per_chunk = std::max(ceil_div(n, max_chunks), least_chunk);
  const std::int64_t n_chunks = ceil_div(n, per_chunk);

  std::array<Best<Word>, max_chunks> chunks;
  const int n_threads = core::threads_for_bytes(stream, n * std::int64_t{sizeof(T)});
  core::for_each_index(n_threads, n_chunks, [&](std::int64_t chunk) {
    const std::int64_t first = chunk * per_chunk;
    chunks[static_cast<std::size_t>(chunk)] =
        best_of(in, first, std::min(first + per_chunk, n), order, args.index != nullptr);
  });

  Best<Word> best = chunks[0];
  for (std::int64_t chunk = 1; chunk < n_chunks; ++chunk) {  // of equal keys the first
    if (chunks[static_cast<std::size_t>(chunk)].key > best.key) best = chunks[static_cast<std::size_t>(chunk)];
  }
  if (args.value != nullptr) *words_of(args.value) = order.word_of(best.key);
  if (args.index == nullptr) return;
  std::int64_t index = best.block;
  while (order.key_of(in[index]) != best.key) ++index;
  *args.index = index;
}};

}  // namespace rafter::extrema_ladder::cpu
