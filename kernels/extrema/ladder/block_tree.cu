// block_tree: each block compares 1024 candidates, keys with their indices, as a tree in shared memory; the kernel is
// launched until one is left.
// Half of the threads idle after the first level, every level needs a barrier, and each thread has only one element in
// flight.
#include <utility>

#include "extrema/cuda/extrema_block.cuh"
#include "extrema/extrema_rung.hpp"
#include "library/core/cuda/launch.cuh"
#include "library/core/stream/scratch.hpp"

namespace rafter::extrema_ladder::RAFTER_BACKEND {

inline constexpr int tree_threads = 1024;

/// The candidates that the elements of an array are.
template <class Word>
struct ElementCandidates {
  const Word* in;
  Order<KeyType<Word>> order;
  __device__ Candidate<KeyType<Word>> operator()(std::int64_t i) const { return {order.key_of(in[i]), -1 - i}; }
};
/// The candidates that an earlier launch left.
template <class Key>
struct StoredCandidates {
  const Candidate<Key>* in;
  __device__ Candidate<Key> operator()(std::int64_t i) const { return in[i]; }
};

template <class Key, class Source>
__global__ void __launch_bounds__(tree_threads)
    extrema_block_tree(Source source, std::int64_t n, Candidate<Key>* partial) {
  __shared__ Candidate<Key> tree[tree_threads];
  const int t = static_cast<int>(threadIdx.x);
  const std::int64_t i = blockIdx.x * std::int64_t{tree_threads} + t;
  tree[t] = i < n ? source(i) : Candidate<Key>{std::numeric_limits<Key>::min(), no_rank};
  __syncthreads();  // the leaves are complete
  for (int half = tree_threads / 2; half > 0; half /= 2) {
    if (t < half && is_better(tree[t + half], tree[t])) tree[t] = tree[t + half];
    __syncthreads();  // this level is complete before the next one reads it
  }
  if (t == 0) partial[blockIdx.x] = tree[0];
}

template <class Word>
__global__ void extrema_write(const Candidate<KeyType<Word>>* best, Order<KeyType<Word>> order, Word* value,
                              std::int64_t* index) {
  if (value != nullptr) *value = static_cast<Word>(order.word_of(best->key));
  if (index != nullptr) *index = -1 - best->rank;
}

extern const ExtremaRung block_tree{[]<class T>(const Stream& stream, ExtremaArgs<T> args) {
  using Word = WordOf<T>;
  using Key = KeyType<Word>;
  const auto order = order_of<T, Key>(args.which);
  std::int64_t n = ceil_div(std::ssize(args.in), tree_threads);
  // Consecutive launches write alternate halves of the scratch; stream order separates them.
  auto* from = reinterpret_cast<Candidate<Key>*>(core::scratch(stream, 2 * n * std::int64_t{sizeof(Candidate<Key>)}));
  Candidate<Key>* to = from + n;
  core::launch(extrema_block_tree<Key, ElementCandidates<Word>>, n, tree_threads, 0, stream,
               ElementCandidates<Word>{words_of(args.in.data()), order}, std::ssize(args.in), from);
  for (; n > 1; std::swap(from, to)) {
    const std::int64_t n_left = ceil_div(n, tree_threads);
    core::launch(extrema_block_tree<Key, StoredCandidates<Key>>, n_left, tree_threads, 0, stream,
                 StoredCandidates<Key>{from}, n, to);
    n = n_left;
  }
  core::launch(extrema_write<Word>, 1, 1, 0, stream, from, order, words_of(args.value), args.index);
}};

}  // namespace rafter::extrema_ladder::RAFTER_BACKEND
