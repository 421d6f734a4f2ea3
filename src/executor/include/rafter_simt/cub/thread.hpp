// CUB's thread-level functions: loads and stores with cache modifiers, lane and warp indices, shuffles.
#pragma once

#include "rafter_simt/cub/span.hpp"
#include "rafter_simt/cub/types.hpp"

namespace cub {

enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };

template <CacheLoadModifier modifier = LOAD_DEFAULT, class Iterator>
auto ThreadLoad(Iterator from) -> rafter_simt::collective::ValueOfT<Iterator> {
  if constexpr (modifier == LOAD_VOLATILE && std::is_pointer<Iterator>::value &&
                std::is_arithmetic<rafter_simt::collective::ValueOfT<Iterator>>::value)
    return *static_cast<const volatile rafter_simt::collective::ValueOfT<Iterator>*>(from);
  else
    return *from;
}
template <CacheStoreModifier modifier = STORE_DEFAULT, class Iterator, class T>
void ThreadStore(Iterator to, T value) {
  if constexpr (modifier == STORE_VOLATILE && std::is_pointer<Iterator>::value && std::is_arithmetic<T>::value)
    *static_cast<volatile std::remove_pointer_t<Iterator>*>(to) = value;
  else
    *to = value;
}

template <class T, int n, class Op>
T ThreadReduce(const T (&items)[n], Op op) {
  return rafter_simt::collective::combine_items(items, op);
}
template <class T, int n, class Op>
T ThreadReduce(const T (&items)[n], Op op, T prefix) {
  for (const T& item : items) prefix = op(prefix, item);
  return prefix;
}

inline unsigned int LaneId() { return rafter_simt::current_lane(); }
inline unsigned int WarpId() { return rafter_simt::current_thread() / 32; }
inline unsigned int LaneMaskLt() { return (1u << LaneId()) - 1u; }
inline unsigned int LaneMaskLe() { return LaneMaskLt() | 1u << LaneId(); }
inline unsigned int LaneMaskGt() { return ~LaneMaskLe(); }
inline unsigned int LaneMaskGe() { return ~LaneMaskLt(); }
template <int width>
unsigned int WarpMask(unsigned int warp) {
  return width == 32 ? rafter_simt::full_warp : ((1u << width) - 1u) << (warp * width);
}
inline int RowMajorTid(int n_x, int n_y, int n_z) {
  return (n_z == 1 ? 0 : static_cast<int>(threadIdx.z) * n_x * n_y) +
         (n_y == 1 ? 0 : static_cast<int>(threadIdx.y) * n_x) + static_cast<int>(threadIdx.x);
}

inline void CTA_SYNC() { __syncthreads(); }
inline int CTA_SYNC_AND(int predicate) { return __syncthreads_and(predicate); }
inline int CTA_SYNC_OR(int predicate) { return __syncthreads_or(predicate); }
inline void WARP_SYNC(unsigned int mask) { __syncwarp(mask); }
inline int WARP_ANY(int predicate, unsigned int mask) { return __any_sync(mask, predicate); }
inline int WARP_ALL(int predicate, unsigned int mask) { return __all_sync(mask, predicate); }
inline unsigned int WARP_BALLOT(int predicate, unsigned int mask) { return __ballot_sync(mask, predicate); }
inline void ThreadTrap() { __trap(); }

template <class T>
unsigned int BFE(T source, unsigned int begin, unsigned int n_bits) {
  const std::uint64_t bits = static_cast<std::uint64_t>(source) >> begin;
  return static_cast<unsigned int>(bits & ((std::uint64_t{1} << n_bits) - 1));
}

/// Shuffles up (down). A lane whose source is below `first_lane` (above `last_lane`) keeps its own value.
template <int width, class T>
T ShuffleUp(T value, int delta, int first_lane, unsigned int mask) {
  const int source = static_cast<int>(LaneId() % width) - delta;
  const T moved = rafter_simt::shuffle_any(rafter_simt::WarpOp::shuffle_up, mask, value, delta, width);
  return source < first_lane ? value : moved;
}
template <int width, class T>
T ShuffleDown(T value, int delta, int last_lane, unsigned int mask) {
  const int source = static_cast<int>(LaneId() % width) + delta;
  const T moved = rafter_simt::shuffle_any(rafter_simt::WarpOp::shuffle_down, mask, value, delta, width);
  return source > last_lane ? value : moved;
}
template <int width, class T>
T ShuffleIndex(T value, int source_lane, unsigned int mask) {
  return rafter_simt::shuffle_any(rafter_simt::WarpOp::shuffle_index, mask, value, source_lane, width);
}

}  // namespace cub
