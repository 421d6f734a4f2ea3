// published: the element of in[0, n) with the greatest key (extrema_order.hpp), and its index, in one launch. Blocks
// publish the best of their elements; the block with the last ticket collects them, as in sum (sum_cuda.cu).
// Bound by DRAM: every byte is read once. Small inputs are bound by one launch, one DRAM round trip and one L2 round
// trip.
//
// A thread remembers the first of its tiles that has its greatest key, not the element. When the block's greatest key
// is known, the threads that have it read that tile again to find the element, so indices cost next to nothing per
// element.
//
//   threads          when                      action
//   thread 0         first                     takes a ticket; the atomic's latency overlaps the elements' loads
//   all              -                         find the greatest key of their elements, then of the block's
//   all              if the index is wanted    find the key's first index among their elements, then in the block
//   thread 0         the block's best is       publishes it with one relaxed store
//                    known
//   all threads of   after their barrier       wait for the blocks' best, thread t for blocks t, t + threads, ...;
//   the last block                             reset the states to zero; find the greatest key, then its first index
//
// No race: the block writes its own state, then the one thread that has read both flags resets it.
// No deadlock: when the last ticket is taken every block has started, and only the last block waits.
#include <algorithm>
#include <limits>

#include "extrema/cuda/extrema_block.cuh"
#include "extrema/extrema_rung.hpp"
#include "extrema/extrema_tunables.hpp"
#include "library/core/cuda/launch.cuh"
#include "library/core/cuda/policy.cuh"
#include "library/core/cuda/vector.cuh"
#include "library/core/stream/scratch.hpp"
#include "library/ptx/memory_order.cuh"

namespace rafter::extrema_ladder::RAFTER_BACKEND {

/// The policy of sum, whose loads are the same. H200, 2^28 floats: the least in 237 us (CUB 238), its index in 241.
struct ExtremaPolicy {
  static constexpr int threads = 512;
  static constexpr int vectors = 4;        // 16-byte loads in flight per thread
  static constexpr int blocks_per_sm = 3;  // which the registers suffice for without spills
  static constexpr bool valid() { return threads % 32 == 0 && threads <= 1024 && vectors > 0; }
};
static_assert(ExtremaPolicy::valid());

// A published candidate is two words, zero until published: the lowest bit of each is set, and the others have the key
// and, in 62 bits, the index.
//
//   x    the lower 63 bits of the key | 1
//   y    the key's highest bit | 62 bits of the index | 1
template <class Key>
__device__ ulonglong2 state_of(const Candidate<Key>& candidate) {
  const auto key = static_cast<unsigned long long>(candidate.key);
  const auto index = static_cast<unsigned long long>(-1 - candidate.rank);
  return {key << 1 | 1, (key >> 63) << 63 | (index << 2) >> 1 | 1};
}
template <class Key>
__device__ Candidate<Key> candidate_of(const ulonglong2& state) {
  const unsigned long long key = state.x >> 1 | (state.y >> 63) << 63;
  return {static_cast<Key>(key), -1 - static_cast<std::int64_t>((state.y << 1) >> 2)};
}

template <class Key>
__device__ Candidate<Key> wait_for_candidate(ulonglong2* state) {
  ulonglong2 seen = ptx::load_relaxed(state);
  while ((seen.x & seen.y & 1) == 0) {
#ifdef RAFTER_SIMT
    __nanosleep(1);  // lets other blocks run
#endif
    seen = ptx::load_relaxed(state);
  }
  ptx::store_relaxed(state, {0, 0});
  return candidate_of<Key>(seen);
}

/// The elements that a thread searches: single ones before the first 16-byte boundary and after the last in block 0,
/// and the vectors of tiles between.
template <class Word, class Policy>
struct ThreadElements {
  using Key = KeyType<Word>;
  using Vector = core::Vector<Word>;
  static constexpr int tile = Policy::threads * Policy::vectors;

  const Word* in;
  std::int64_t n;
  Order<Key> order;
  core::VectorSplit split;
  int t;
  bool has_ends;  // whether the thread's block also searches the single elements

  __device__ ThreadElements(const Word* array, std::int64_t size, const Order<Key>& by)
      : in(array),
        n(size),
        order(by),
        split(core::split_in_vectors(array, size)),
        t(static_cast<int>(threadIdx.x)),
        has_ends(blockIdx.x == 0) {}

  __device__ const Vector* body() const { return reinterpret_cast<const Vector*>(in + split.head) + t; }

  __device__ Key greatest_of(const Vector& v, Key best) const {
#pragma unroll
    for (int i = 0; i < Vector::size; ++i) {
      const Key key = order.key_of(v.lane[i]);
      best = key > best ? key : best;
    }
    return best;
  }

  /// Returns the greatest key of the vectors, and the first tile that has it.
  __device__ Key greatest_in_tiles(std::int64_t& best_tile) const {
    constexpr Key least = std::numeric_limits<Key>::min();
    Key best = least;
    best_tile = blockIdx.x * std::int64_t{tile};
    for (std::int64_t first = best_tile; first < split.body; first += gridDim.x * std::int64_t{tile}) {
      const auto exists = [&](int k) { return first + k * Policy::threads + t < split.body; };
      Vector v[Policy::vectors];
#pragma unroll
      for (int k = 0; k < Policy::vectors; ++k) {
        if (exists(k)) v[k] = body()[first + k * Policy::threads];
      }
      Key key[Policy::vectors];
#pragma unroll
      for (int k = 0; k < Policy::vectors; ++k) key[k] = exists(k) ? greatest_of(v[k], least) : least;
#pragma unroll
      for (int k = 1; k < Policy::vectors; ++k) key[0] = key[k] > key[0] ? key[k] : key[0];
      if (key[0] > best) best_tile = first;
      best = key[0] > best ? key[0] : best;
    }
    return best;
  }

  __device__ Key greatest_with_ends(Key best) const {
    if (!has_ends) return best;
    if (t < split.head) best = max(best, order.key_of(in[t]));
    if (t < split.tail) best = max(best, order.key_of(in[n - 1 - t]));
    return best;
  }

  /// Returns the rank of the first element with this key, which the thread's vectors have in `best_tile` first;
  /// no_rank if it has none.
  __device__ std::int64_t rank_of(Key key, std::int64_t best_tile) const {
    if (has_ends && t < split.head && order.key_of(in[t]) == key) return -1 - t;
    for (int k = 0; k < Policy::vectors; ++k) {
      const std::int64_t at = best_tile + k * Policy::threads + t;  // the vector
      if (at >= split.body) break;
      const std::int64_t first = split.head + at * Vector::size;
      for (int i = 0; i < Vector::size; ++i) {
        if (order.key_of(in[first + i]) == key) return -1 - (first + i);
      }
    }
    // The threads have the last elements in descending order; no other element of this thread comes after its one.
    if (has_ends && t < split.tail && order.key_of(in[n - 1 - t]) == key) return -1 - (n - 1 - t);
    return no_rank;
  }
};

/// The scratch of one call. All words are zero before and after the kernel.
struct PublishedCandidates {
  unsigned* ticket;    // [1]
  ulonglong2* states;  // [n_blocks]
};

template <class Word, bool wants_index>
__global__ void __launch_bounds__(ExtremaPolicy::threads, ExtremaPolicy::blocks_per_sm)
    extrema_published(const Word* in, std::int64_t n, Order<KeyType<Word>> order, PublishedCandidates published,
                      Word* value, std::int64_t* index) {
  using Key = KeyType<Word>;
  constexpr int threads = ExtremaPolicy::threads;
  __shared__ BlockGreatestStorage<Key, threads> keys;
  __shared__ BlockGreatestStorage<std::int64_t, threads> ranks;
  __shared__ bool is_last;
  const int t = static_cast<int>(threadIdx.x);

  unsigned ticket = 0;
  const bool is_alone = gridDim.x == 1;
  if (t == 0 && !is_alone) ticket = atomicAdd(published.ticket, 1u);
  const ThreadElements<Word, ExtremaPolicy> elements(in, n, order);
  std::int64_t best_tile;
  const Key in_tiles = elements.greatest_in_tiles(best_tile);
  const Key mine = elements.greatest_with_ends(in_tiles);
  Candidate<Key> best{block_greatest(mine, keys), -1};
  if constexpr (wants_index)
    best.rank = block_greatest(mine == best.key ? elements.rank_of(best.key, best_tile) : no_rank, ranks);

  if (is_alone) {  // nothing to publish: two round trips to the L2 less
    if (t == 0 && value != nullptr) *value = static_cast<Word>(order.word_of(best.key));
    if (t == 0 && wants_index) *index = -1 - best.rank;
    return;
  }
  if (t == 0) {
    ptx::store_relaxed(&published.states[blockIdx.x], state_of(best));
    is_last = ticket == gridDim.x - 1;
    if (is_last) *published.ticket = 0;
  }
  __syncthreads();  // orders is_last
  if (!is_last) return;

  best = {std::numeric_limits<Key>::min(), no_rank};
  for (int i = t; i < static_cast<int>(gridDim.x); i += threads) {
    const auto other = wait_for_candidate<Key>(&published.states[i]);
    if (is_better(other, best)) best = other;
  }
  const Key greatest = block_greatest(best.key, keys);
  if (t == 0 && value != nullptr) *value = static_cast<Word>(order.word_of(greatest));
  if constexpr (wants_index) {
    const std::int64_t rank = block_greatest(best.key == greatest ? best.rank : no_rank, ranks);
    if (t == 0) *index = -1 - rank;
  }
}

extern const ExtremaRung published{[]<class T>(const Stream& stream, ExtremaArgs<T> args) {
  using Word = WordOf<T>;
  using Policy = ExtremaPolicy;
  constexpr std::int64_t tile = std::int64_t{Policy::threads} * Policy::vectors * core::Vector<Word>::size;
  constexpr int words_of_state = sizeof(ulonglong2) / sizeof(unsigned);
  constexpr std::int64_t most_states = core::n_tickets / words_of_state - 1;
  const std::int64_t n = std::ssize(args.in);
  const std::int64_t most = std::int64_t{stream.n_multiprocessors()} * core::tuned(blocks_per_sm);
  const std::int64_t n_blocks = std::clamp(ceil_div(n, tile), std::int64_t{1}, std::min(most, most_states));
  unsigned* const words = core::tickets(stream);
  const PublishedCandidates scratch = {words, reinterpret_cast<ulonglong2*>(words + words_of_state)};
  core::launch(args.index != nullptr ? extrema_published<Word, true> : extrema_published<Word, false>, n_blocks,
               Policy::threads, 0, stream, words_of(args.in.data()), n, order_of<T, KeyType<Word>>(args.which), scratch,
               words_of(args.value), args.index);
}};

}  // namespace rafter::extrema_ladder::RAFTER_BACKEND
