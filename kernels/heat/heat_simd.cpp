// A stage of a step: out = base + stencil(in). A block of 4 planes x 2 rows x 2 vectors is added up in 16 registers,
// which hides the latency of multiply-adds, and a load along any axis serves several cells: 14 loads per vector instead
// of 25.
// Bound by instruction issue: 26 of about 48 instructions per vector compute.
#include "heat/heat_simd.hpp"

#include "heat/cpu/heat_lanes.hpp"
#include "library/core/cpu/vector_fma.hpp"

namespace rafter::heat_ladder::cpu {

namespace {

using core::vector_bytes;

template <class T, int Lanes>
struct Vector {
  typedef T Type __attribute__((vector_size(Lanes * sizeof(T))));  // the syntax that both GCC and Clang accept
};

using core::fma;
#if defined(__aarch64__) || defined(__FMA__)
inline auto fma(Vector<float, 1>::Type a, Vector<float, 1>::Type b, Vector<float, 1>::Type sum) {
  return Vector<float, 1>::Type{__builtin_fmaf(a[0], b[0], sum[0])};
}
inline auto fma(Vector<double, 1>::Type a, Vector<double, 1>::Type b, Vector<double, 1>::Type sum) {
  return Vector<double, 1>::Type{__builtin_fma(a[0], b[0], sum[0])};
}
#endif

#define RAFTER_UNROLL _Pragma("GCC unroll 16")

// Makes the compiler forget the values of these variables, so that it reloads what it would otherwise keep until it
// runs out of registers.
#define RAFTER_FORGET(a, b) asm("" : "+r"(a), "+r"(b))

enum class Layout { contiguous, lifted };

template <class T, int Radius, int Lanes, Layout layout>
struct Stage {
  using V = typename Vector<T, Lanes>::Type;
  using Args = StageArgs<T>;

  static constexpr int block_rows = 2;
  static constexpr int block_vectors = layout == Layout::lifted ? 2 : 1;
  static constexpr std::int64_t chunk = 64;  // vectors of a row at a time: the rows around a block stay in L1

  static V load(const T* from) {
    V v;
    __builtin_memcpy(&v, from, sizeof v);
    return v;
  }

  /// The weights in all lanes. They are reloaded for every axis, as there are not enough registers for all.
  struct Weights {
    V x[Radius + 1];  // of the centre, then of the neighbours
    V y[Radius + 1];
    V z[Radius + 1];

    explicit Weights(const StageWeights<T>& stencil) {
      x[0] = V{} + stencil.centre;
      y[0] = z[0] = V{};
      for (int k = 1; k <= Radius; ++k) {
        x[k] = V{} + stencil.x[k - 1];
        y[k] = V{} + stencil.y[k - 1];
        z[k] = V{} + stencil.z[k - 1];
      }
    }
  };

  /// Pointers to a row in each plane.
  template <int Planes>
  struct Rows {
    const T* in[Planes + 2 * Radius];
    const T* base[Planes];
    T* out[Planes];

    Rows(const Args& args, int plane, std::int64_t row) {
      for (int z = 0; z < Planes + 2 * Radius; ++z) in[z] = args.in[plane + z] + row * args.pitch;
      for (int z = 0; z < Planes; ++z) base[z] = args.base[plane + z] + row * args.pitch;
      for (int z = 0; z < Planes; ++z) out[z] = args.out[plane + z] + row * args.pitch;
    }
  };

  static constexpr int distance(int a, int b) { return a < b ? b - a : a - b; }

  /// Computes `Vecs` vectors from `col` in `N` rows of `Planes` planes. All sums advance together, each in the same
  /// order: along x, y, z, from below to above.
  template <int Planes, int N, int Vecs>
  __attribute__((always_inline)) static void block(const Rows<Planes>& at, const Weights* w, std::int64_t pitch,
                                                   std::int64_t col) {
    constexpr int step = layout == Layout::lifted ? Lanes : 1;  // to a neighbour along x
    static_assert(step == Lanes || Vecs == 1);
    V sum[Planes][N][Vecs];
    RAFTER_FORGET(w, col);
    RAFTER_UNROLL for (int j = -Radius; j < Vecs + Radius; ++j) {
      RAFTER_UNROLL for (int z = 0; z < Planes; ++z) {
        RAFTER_UNROLL for (int y = 0; y < N; ++y) {
          const T* row = at.in[z + Radius] + (col + y * pitch);
          const V v = load(row + j * step);
          RAFTER_UNROLL for (int i = 0; i < Vecs; ++i) {
            if (j == i - Radius) {
              sum[z][y][i] = w->x[Radius] * v;
            } else if (distance(i, j) <= Radius) {
              sum[z][y][i] = fma(w->x[distance(i, j)], v, sum[z][y][i]);
            }
          }
        }
      }
    }
    RAFTER_FORGET(w, col);
    RAFTER_UNROLL for (int j = -Radius; j < N + Radius; ++j) {
      RAFTER_UNROLL for (int z = 0; z < Planes; ++z) {
        const T* row = at.in[z + Radius] + (col + j * pitch);
        RAFTER_UNROLL for (int i = 0; i < Vecs; ++i) {
          const V v = load(row + i * Lanes);
          RAFTER_UNROLL for (int y = 0; y < N; ++y) {
            if (y != j && distance(y, j) <= Radius) sum[z][y][i] = fma(w->y[distance(y, j)], v, sum[z][y][i]);
          }
        }
      }
    }
    RAFTER_FORGET(w, col);
    RAFTER_UNROLL for (int j = -Radius; j < Planes + Radius; ++j) {
      RAFTER_UNROLL for (int y = 0; y < N; ++y) {
        const T* row = at.in[j + Radius] + (col + y * pitch);
        RAFTER_UNROLL for (int i = 0; i < Vecs; ++i) {
          const V v = load(row + i * Lanes);
          RAFTER_UNROLL for (int z = 0; z < Planes; ++z) {
            if (z != j && distance(z, j) <= Radius) sum[z][y][i] = fma(w->z[distance(z, j)], v, sum[z][y][i]);
          }
        }
      }
    }
    RAFTER_FORGET(w, col);
    RAFTER_UNROLL for (int z = 0; z < Planes; ++z) {
      RAFTER_UNROLL for (int y = 0; y < N; ++y) {
        const T* from = at.base[z] + (col + y * pitch);
        T* to = at.out[z] + (col + y * pitch);
        RAFTER_UNROLL for (int i = 0; i < Vecs; ++i) {
          const V result = load(from + i * Lanes) + sum[z][y][i];
          __builtin_memcpy(to + i * Lanes, &result, sizeof result);
        }
      }
    }
  }

  /// Prefetches what the block N rows further on reads for the first time: rows of the planes around, and the last ones
  /// of its own. Neoverse-V1: 1.1x.
  template <int Planes, int N>
  __attribute__((always_inline)) static void prefetch(const Rows<Planes>& at, std::int64_t pitch, std::int64_t col) {
    constexpr std::int64_t line = 64 / sizeof(T);
    constexpr std::int64_t width = block_vectors * Lanes;
    // If a line spans several blocks, each block prefetches another row.
    const std::int64_t first = width < line ? N + col / width % N : N;
    RAFTER_UNROLL for (int y = 0; y < (width < line ? 1 : N); ++y) {
      RAFTER_UNROLL for (int z = 0; z < Planes + 2 * Radius; ++z) {
        const bool own = z >= Radius && z < Radius + Planes;
        __builtin_prefetch(at.in[z] + (col + (first + y + (own ? Radius : 0)) * pitch));
      }
    }
  }

  /// Computes elements [begin, end) of N rows; the last block may overlap the previous one.
  template <int Planes, int N, int Vecs>
  __attribute__((noinline)) static void strip(const Args& args, const Weights& w, int plane, std::int64_t row,
                                              std::int64_t begin, std::int64_t end) {
    constexpr int width = Vecs * Lanes;
    const Rows<Planes> at(args, plane, row);
    const std::int64_t pitch = args.pitch;
    for (std::int64_t next = begin; next < end; next += width) {
      const std::int64_t col = next < end - width ? next : end - width;
      if constexpr (Planes == stage_planes) prefetch<Planes, N>(at, pitch, col);
      block<Planes, N, Vecs>(at, &w, pitch, col);
    }
  }

  template <int Planes, int N, int Vecs>
  static void rows(const Args& args, const Weights& w, int plane, std::int64_t begin, std::int64_t end) {
    std::int64_t row = 0;
    for (; row + N <= args.n_rows; row += N) strip<Planes, N, Vecs>(args, w, plane, row, begin, end);
    for (; row < args.n_rows; ++row) strip<Planes, 1, Vecs>(args, w, plane, row, begin, end);
  }

  static void chunk_of(const Args& args, const Weights& w, std::int64_t begin, std::int64_t end) {
    if constexpr (Lanes > 1) {
      const bool wide = end - begin >= block_vectors * Lanes;
      if (wide && args.n_planes == stage_planes)
        return rows<stage_planes, block_rows, block_vectors>(args, w, 0, begin, end);
      for (int plane = 0; wide && plane < args.n_planes; ++plane) rows<1, 4, block_vectors>(args, w, plane, begin, end);
      if (wide) return;
    }
    for (int plane = 0; plane < args.n_planes; ++plane) rows<1, 1, 1>(args, w, plane, begin, end);
  }

  static void run(const Args& args) {
    const Weights w(args.stencil);
    const std::int64_t n = layout == Layout::lifted ? n_vectors_for<Lanes>(args.n_cells) * Lanes : args.n_cells;
    constexpr std::int64_t width = block_vectors * Lanes;
    for (std::int64_t begin = 0; begin < n;) {
      const bool last = n - begin < chunk * Lanes + width;  // leaves no chunk narrower than a block
      const std::int64_t end = last ? n : begin + chunk * Lanes;
      chunk_of(args, w, begin, end);
      begin = end;
    }
  }
};

template <class T, int Radius>
void contiguous(const StageArgs<T>& args) {
  constexpr int lanes = vector_bytes / sizeof(T);
  if (args.n_cells >= lanes)
    Stage<T, Radius, lanes, Layout::contiguous>::run(args);
  else
    Stage<T, Radius, 1, Layout::contiguous>::run(args);
}

template <class T, int Radius, int Lanes>
void lifted(const StageArgs<T>& args) {
  Stage<T, Radius, Lanes, Layout::lifted>::run(args);
}

template <class T, int Lanes>
constexpr StageLoops<T> loops = {Lanes,
                                 {contiguous<T, 1>, contiguous<T, 2>, contiguous<T, 3>, contiguous<T, 4>},
                                 {lifted<T, 1, Lanes>, lifted<T, 2, Lanes>, lifted<T, 3, Lanes>, lifted<T, 4, Lanes>},
                                 close<T, Lanes>,
                                 wrap<T, Lanes>,
                                 place<Lanes>,
                                 lift<T, Lanes>,
                                 lower<T, Lanes>};

constexpr int half_bytes = vector_bytes > 16 ? vector_bytes / 2 : 0;  // of 16 bytes no half is worth its code

}  // namespace

RAFTER_ISA_TABLE(HeatLoops, heat_loops) = {
    loops<float, vector_bytes / 4>,  loops<float, half_bytes == 0 ? 1 : half_bytes / 4>,  loops<float, 1>,
    loops<double, vector_bytes / 8>, loops<double, half_bytes == 0 ? 1 : half_bytes / 8>, loops<double, 1>};

}  // namespace rafter::heat_ladder::cpu
