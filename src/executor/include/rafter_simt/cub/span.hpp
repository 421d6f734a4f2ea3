// Building blocks of the CUB replacement: the cooperating threads, their shared storage, and arrangements of items.
// Functions that access memory are always inlined, so that a finding names the caller's line.
#pragma once

#include "rafter_simt/groups/lanes.hpp"
#include "rafter_simt/sync.hpp"

namespace rafter_simt {
namespace collective {

/// The threads of a block whose shape is a compile-time constant.
template <int X, int Y = 1, int Z = 1>
struct BlockSpan {
  static constexpr int n_threads = X * Y * Z;
  static int rank() { return static_cast<int>((threadIdx.z * Y + threadIdx.y) * X + threadIdx.x); }
  static void sync() { __syncthreads(); }
};

/// `Width` consecutive lanes of a warp.
template <int Width>
struct WarpSpan {
  static constexpr int n_threads = Width;
  static unsigned mask() { return tile_mask(Width, current_lane()); }
  static unsigned first_lane() { return current_lane() / Width * Width; }
  static int rank() { return static_cast<int>(current_lane() % Width); }
  static void sync() { __syncwarp(mask()); }
};

/// Space for `n` items in shared memory, without constructors.
template <class T, int n>
struct Slots {
  T& operator[](int i) { return reinterpret_cast<T*>(bytes)[i]; }
  T* begin() { return reinterpret_cast<T*>(bytes); }

  alignas(T) unsigned char bytes[n * sizeof(T)];
};

/// A collective's reference to the caller's storage, or to its own.
template <class Storage>
class Collective {
 public:
  using TempStorage = Storage;

 protected:
  Collective() : storage_(own_storage()) {}
  explicit Collective(Storage& storage) : storage_(storage) {}

  Storage& storage_;

 private:
  static Storage& own_storage() {
    static thread_local Storage storage;
    return storage;
  }
};

struct NoStorage {};

/// The position of item `i` of thread `rank` in the tile.
enum class Order { blocked, striped, warp_striped };

template <class Span, int n_items>
constexpr int place(Order order, int rank, int i) {
  constexpr int warp = Span::n_threads < 32 ? Span::n_threads : 32;
  if (order == Order::blocked) return rank * n_items + i;
  if (order == Order::striped) return i * Span::n_threads + rank;
  return rank / warp * warp * n_items + i * warp + rank % warp;
}

/// Moves items from one arrangement to another through `slots`.
template <class Span, int n_items, class T, class Out>
__forceinline__ void rearrange(Slots<T, Span::n_threads * n_items>& slots, const T (&in)[n_items], Out (&out)[n_items],
                               Order from, Order to) {
  const int rank = Span::rank();
  for (int i = 0; i < n_items; ++i) slots[place<Span, n_items>(from, rank, i)] = in[i];
  if (from == Order::warp_striped || to == Order::warp_striped)
    __syncwarp();
  else
    Span::sync();
  for (int i = 0; i < n_items; ++i) out[i] = slots[place<Span, n_items>(to, rank, i)];
}

/// Combines n > 0 adjacent items pairwise, in order, like a tree of shuffles and with a tree's rounding error.
template <class T, class Items, class Op>
T combine_tree(Items&& items, long long begin, long long n, long long width, Op& op) {
  if (n == 1) return static_cast<T>(items[begin]);
  while (width / 2 >= n) width /= 2;
  const long long half = width / 2;
  const T left = combine_tree<T>(items, begin, half, half, op);
  return static_cast<T>(op(left, combine_tree<T>(items, begin + half, n - half, half, op)));
}

template <class T, int n, class Op>
T combine_items(const T (&items)[n], Op& op) {
  T result = items[0];
  for (int i = 1; i < n; ++i) result = op(result, items[i]);
  return result;
}

}  // namespace collective
}  // namespace rafter_simt
