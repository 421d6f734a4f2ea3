// What a block does to up to 12 atoms between messages: contexts, updates and the readout, forward and backward. All
// threads of the block call these; each begins and ends with a barrier, so one follows another as it stands.
#pragma once

#include "forcefield/cuda/forcefield_dense.cuh"

namespace rafter::forcefield_ladder::RAFTER_BACKEND {

/// Rows of atoms [first, first + n).
struct Chunk {
  int first;
  int n;
};

/// f(chunk) for chunks of nearly the same size of rows [begin, end).
template <class F>
__device__ void for_each_chunk(int n_rows, const F& f) {
  const int n_chunks = (n_rows + tile_rows - 1) / tile_rows;
  for (int i = 0; i < n_chunks; ++i) {
    const int begin = i * n_rows / n_chunks;
    f(Chunk{begin, (i + 1) * n_rows / n_chunks - begin});
  }
}

template <bool IsPainn, int Shares>
class Layers {
 public:
  __device__ Layers(const State<IsPainn>& state, const Tile& tile)
      : state_(state), tile_(tile), features_(state.features) {}

  /// Rows of a field times a matrix, to rows of another field: of painn's vectors, [atoms * 3] rows.
  __device__ void mix(int layer, Chunk rows) const {
    const int f = features_;
    const float* in = state_.layer_row(layer, state_.at.v_sum, 1, rows.first);
    float* out = state_.layer_row(layer, state_.at.mixed, 2, rows.first);
    fill_rows(tile_, rows.n, f, [&](int row, int c) { return load2(in + row * f + c); });
    run(rows.n, state_.model.channel_mixing(layer).transposed, f, 2 * f);
    for_each_pair(rows.n, 2 * f,
                  [&](int row, int c) { store2(out + row * 2 * f + c, tile_.sum2(row, c, 2 * f, nullptr)); });
    __syncthreads();  // the tile is free
  }

  /// gv_sum = gv + what comes back through the mixing.
  __device__ void mix_backward(int layer, Chunk rows) const {
    const int f = features_;
    const float* in = state_.layer_row(layer, state_.at.mixed, 2, rows.first);
    const float* gv = state_.row(state_.at.gv, 1, rows.first);
    float* out = state_.row(state_.at.gv_sum, 1, rows.first);
    const bool is_last = layer + 1 == state_.n_layers;  // gv is zero
    fill_rows(tile_, rows.n, 2 * f, [&](int row, int c) { return load2(in + row * 2 * f + c); });
    run(rows.n, state_.model.channel_mixing(layer).weight, 2 * f, f);
    for_each_pair(rows.n, f, [&](int row, int c) {
      const float2 straight = is_last ? float2{} : load2(gv + row * f + c);
      store2(out + row * f + c, tile_.sum2(row, c, f, nullptr) + straight);
    });
    __syncthreads();  // the tile is free
  }

  /// Painn: what atoms send.
  __device__ void make_context(int layer, Chunk atoms) const {
    const int f = features_;
    const float* in = state_.layer_row(layer, state_.at.s, 1, atoms.first);
    float* hidden = state_.layer_row(layer, state_.at.context_hidden, 1, atoms.first);
    float* out = state_.layer_row(layer, state_.at.context, 3, atoms.first);
    fill_rows(tile_, atoms.n, f, [&](int row, int c) { return load2(in + row * f + c); });
    const Linear first = state_.model.context_hidden(layer), second = state_.model.context(layer);
    run(atoms.n, first.transposed, f, f);
    activate(atoms.n, first.bias, hidden);
    run(atoms.n, second.transposed, f, 3 * f);
    for_each_pair(atoms.n, 3 * f,
                  [&](int row, int c) { store2(out + row * 3 * f + c, tile_.sum2(row, c, 3 * f, second.bias)); });
    __syncthreads();  // the tile is free
  }

  /// gs = gs_sum + what comes back through the context.
  __device__ void make_context_backward(int layer, Chunk atoms) const {
    const int f = features_;
    const float* in = state_.row(state_.at.g_context, 3, atoms.first);
    const float* hidden = state_.layer_row(layer, state_.at.context_hidden, 1, atoms.first);
    const float* gs_sum = state_.row(state_.at.gs_sum, 1, atoms.first);
    float* gs = state_.row(state_.at.gs, 1, atoms.first);
    fill_rows(tile_, atoms.n, 3 * f, [&](int row, int c) { return load2(in + row * 3 * f + c); });
    run(atoms.n, state_.model.context(layer).weight, 3 * f, f);
    activate_backward(atoms.n, f, hidden);
    run(atoms.n, state_.model.context_hidden(layer).weight, f, f);
    for_each_pair(atoms.n, f, [&](int row, int c) {
      store2(gs + row * f + c, tile_.sum2(row, c, f, nullptr) + load2(gs_sum + row * f + c));
    });
    __syncthreads();  // the tile is free
  }

  /// s and v of the next layer.
  __device__ void update(int layer, Chunk atoms) const {
    const int f = features_;
    const float* s_sum = state_.row(state_.at.s_sum, 1, atoms.first);
    const Vectors vectors = vectors_of(layer, atoms.first);
    fill_rows(tile_, atoms.n, 2 * f,
              [&](int row, int c) { return c < f ? load2(s_sum + row * f + c) : lengths(vectors, row, c - f); });
    const Linear first = state_.model.update_hidden(layer), second = state_.model.update(layer);
    run(atoms.n, first.transposed, 2 * f, f);
    activate(atoms.n, first.bias, state_.layer_row(layer, state_.at.hidden, 1, atoms.first));
    run(atoms.n, second.transposed, f, 3 * f);
    float* gates = state_.layer_row(layer, state_.at.gates, 3, atoms.first);
    float* s = state_.layer_row(layer + 1, state_.at.s, 1, atoms.first);
    const bool is_last = layer + 1 == state_.n_layers;  // nobody asks for its vectors
    for_each_pair(atoms.n, f, [&](int row, int c) {
      float2 gate[3];
#pragma unroll
      for (int i = 0; i < 3; ++i) {
        gate[i] = tile_.sum2(row, i * f + c, 3 * f, second.bias);
        store2(gates + (row * 3 + i) * f + c, gate[i]);
      }
      float2 now = load2(s_sum + row * f + c) + gate[0];
      if constexpr (IsPainn) now = fma2(gate[2], dot_of_mixed(vectors, row, c), now);
      store2(s + row * f + c, now);
      if (!is_last) store_new_vectors(layer, vectors, atoms.first + row, row, c, gate);
    });
    __syncthreads();  // the tile is free, and the results are there
  }

  /// gs_sum; of the student gv_sum, of painn the gradients by what was mixed, in its place.
  __device__ void update_backward(int layer, Chunk atoms) const {
    const int f = features_;
    const float* gs = state_.row(state_.at.gs, 1, atoms.first);
    const float* gv = state_.row(state_.at.gv, 3, atoms.first);
    const float* gates = state_.layer_row(layer, state_.at.gates, 3, atoms.first);
    const Vectors vectors = vectors_of(layer, atoms.first);
    const bool is_last = layer + 1 == state_.n_layers;  // gv is zero
    fill_rows(tile_, atoms.n, 3 * f, [&](int row, int column) {
      const int which = column / f, c = column % f;
      if (which == 0) return load2(gs + row * f + c);
      float2 g[3];
      gradient_of_vector(gv, is_last, row, c, g);
      if constexpr (IsPainn) {
        if (which == 2) return load2(gs + row * f + c) * dot_of_mixed(vectors, row, c);
        float2 right[3];
        load_mixed(vectors, row, f + c, right);
        return dot3(g, right);
      } else {
        float2 v[3], turned[3];
        load3(vectors, row, c, v);
        if (which == 1) return dot3(g, v);
        turn(layer, v, turned);
        return dot3(g, turned);
      }
    });
    run(atoms.n, state_.model.update(layer).weight, 3 * f, f);
    activate_backward(atoms.n, f, state_.layer_row(layer, state_.at.hidden, 1, atoms.first));
    run(atoms.n, state_.model.update_hidden(layer).weight, f, 2 * f);
    float* gs_sum = state_.row(state_.at.gs_sum, 1, atoms.first);
    for_each_pair(atoms.n, f, [&](int row, int c) {
      const float2 by_s = load2(gs + row * f + c);
      store2(gs_sum + row * f + c, by_s + tile_.sum2(row, c, 2 * f, nullptr));
      const float2 by_length = tile_.sum2(row, f + c, 2 * f, nullptr);
      const float2 gate[2] = {load2(gates + (row * 3 + 1) * f + c), load2(gates + (row * 3 + 2) * f + c)};
      float2 g[3];
      gradient_of_vector(gv, is_last, row, c, g);
      if constexpr (IsPainn) {
        store_mixed_gradients(layer, vectors, atoms.first + row, row, c, by_s, by_length, gate, g);
      } else {
        store_vector_gradients(layer, vectors, atoms.first + row, row, c, by_length, gate, g);
      }
    });
    __syncthreads();  // the tile is free, and the results are there
  }

  /// Energies of atoms, and unless only those are wanted gs.
  __device__ void read_out(Chunk atoms, bool wants_gradient) const {
    const ModelView& model = state_.model;
    const int n_hidden = static_cast<int>(model.n_readouts) - 1, last_layer = state_.n_layers;
    const float* s = state_.layer_row(last_layer, state_.at.s, 1, atoms.first);
    float* const scratch = state_.row(state_.at.gv_sum, 1, atoms.first * 3);  // what is before SiLU: not in use yet
    const int pitch = 3 * features_;                                          // of an atom there
    fill_rows(tile_, atoms.n, features_, [&](int row, int c) { return load2(s + row * features_ + c); });
    int n_in = features_, place = 0;
    for (int i = 0; i < n_hidden; ++i) {
      const Linear linear = model.readout_layer(i);
      const auto n_out = static_cast<int>(linear.n_out);
      run(atoms.n, linear.transposed, n_in, n_out);
      float* before = scratch + place;
      fill_rows(tile_, atoms.n, n_out, [&](int row, int c) {
        const float2 x = tile_.sum2(row, c, n_out, linear.bias);
        store2(before + row * pitch + c, x);
        return float2{silu_of(x.x).value, silu_of(x.y).value};
      });
      __syncthreads();  // the rows are there
      place += n_out;
      n_in = n_out;
    }
    const Linear last = model.readout_layer(n_hidden);
    write_energies(atoms, last, n_in);
    if (wants_gradient) read_out_backward(atoms, last, scratch + place, pitch);
    __syncthreads();  // the tile is free
  }

 private:
  /// Where vectors come from: the student's with the messages, or painn's mixed ones.
  struct Vectors {
    const float* rows;
    int pitch;  // from one axis to the next
  };

  __device__ Vectors vectors_of(int layer, int atom) const {
    if constexpr (IsPainn) return {state_.layer_row(layer, state_.at.mixed, 6, atom), 2 * features_};
    return {state_.layer_row(layer, state_.at.v_sum, 3, atom), features_};
  }

  __device__ void run(int n_rows, const float* matrix, int n_in, int n_out) const {
    __syncthreads();  // the rows are there
    multiply<Shares>({tile_.rows, n_in, n_rows, matrix, n_in, n_out, tile_.sums});
    __syncthreads();  // the sums are there
  }

  /// The tile's rows become SiLU of the sums, which `before` keeps.
  __device__ void activate(int n_rows, const float* bias, float* before) const {
    const int f = features_;
    fill_rows(tile_, n_rows, f, [&](int row, int c) {
      const float2 x = tile_.sum2(row, c, f, bias);
      store2(before + row * f + c, x);
      return float2{silu_of(x.x).value, silu_of(x.y).value};
    });
  }

  __device__ void activate_backward(int n_rows, int n_columns, const float* before, int pitch = 0) const {
    if (pitch == 0) pitch = n_columns;
    fill_rows(tile_, n_rows, n_columns, [&](int row, int c) {
      const float2 x = load2(before + row * pitch + c);
      return tile_.sum2(row, c, n_columns, nullptr) * float2{silu_of(x.x).slope, silu_of(x.y).slope};
    });
  }

  __device__ static void load3(const Vectors& vectors, int row, int c, float2 (&v)[3]) {
#pragma unroll
    for (int x = 0; x < 3; ++x) v[x] = load2(vectors.rows + (row * 3 + x) * vectors.pitch + c);
  }
  __device__ static void load_mixed(const Vectors& vectors, int row, int c, float2 (&v)[3]) {
    load3(vectors, row, c, v);
  }

  __device__ float2 dot_of_mixed(const Vectors& vectors, int row, int c) const {
    float2 left[3], right[3];
    load3(vectors, row, c, left);
    load3(vectors, row, features_ + c, right);
    return dot3(left, right);
  }

  __device__ static float2 lengths(const Vectors& vectors, int row, int c) {
    float2 v[3];
    load3(vectors, row, c, v);
    const float2 square = dot3(v, v);
    constexpr float epsilon = IsPainn ? 1e-8F : 0.0F;
    return {sqrtf(square.x + epsilon), sqrtf(square.y + epsilon)};
  }

  __device__ void gradient_of_vector(const float* gv, bool is_zero, int row, int c, float2 (&g)[3]) const {
#pragma unroll
    for (int x = 0; x < 3; ++x) g[x] = is_zero ? float2{} : load2(gv + (row * 3 + x) * features_ + c);
  }

  /// M v.
  __device__ void turn(int layer, const float2 (&v)[3], float2 (&turned)[3]) const {
    const float* m = state_.model.axis_mixing(layer);
#pragma unroll
    for (int x = 0; x < 3; ++x)
      turned[x] = fma2(v[0], __ldg(m + 3 * x), fma2(v[1], __ldg(m + 3 * x + 1), v[2] * __ldg(m + 3 * x + 2)));
  }

  __device__ void store_new_vectors(int layer, const Vectors& vectors, int atom, int row, int c,
                                    const float2 (&gate)[3]) const {
    float2 v[3], other[3];
    if constexpr (IsPainn) {
      load_vector(state_, state_.at.v_sum + layer * state_.at.layer_stride, atom, c, v);
      load3(vectors, row, features_ + c, other);
#pragma unroll
      for (int x = 0; x < 3; ++x) v[x] = fma2(gate[1], other[x], v[x]);
    } else {
      load3(vectors, row, c, v);
      turn(layer, v, other);
#pragma unroll
      for (int x = 0; x < 3; ++x) v[x] = fma2(v[x], gate[1], other[x] * gate[2]);
    }
    store_vector(state_, state_.at.v + (layer + 1) * state_.at.layer_stride, atom, c, v);
  }

  __device__ void store_vector_gradients(int layer, const Vectors& vectors, int atom, int row, int c, float2 by_length,
                                         const float2 (&gate)[2], const float2 (&g)[3]) const {
    float2 v[3], sums[3];
    load3(vectors, row, c, v);
    const float2 square = dot3(v, v);
    const float2 share = {square.x > 0 ? by_length.x * rsqrtf(square.x) : 0,
                          square.y > 0 ? by_length.y * rsqrtf(square.y) : 0};
    const float* m = state_.model.axis_mixing(layer);
    const float2 turned[3] = {g[0] * gate[1], g[1] * gate[1], g[2] * gate[1]};
#pragma unroll
    for (int x = 0; x < 3; ++x) {
      const float2 back =
          fma2(turned[0], __ldg(m + x), fma2(turned[1], __ldg(m + 3 + x), turned[2] * __ldg(m + 6 + x)));
      sums[x] = fma2(g[x], gate[0], fma2(share, v[x], back));
    }
    store_vector(state_, state_.at.gv_sum, atom, c, sums);
  }

  __device__ void store_mixed_gradients(int layer, const Vectors& vectors, int atom, int row, int c, float2 by_s,
                                        float2 by_length, const float2 (&gate)[2], const float2 (&g)[3]) const {
    float2 left[3], right[3];
    load3(vectors, row, c, left);
    load3(vectors, row, features_ + c, right);
    const float2 square = dot3(left, left);
    const float2 share = {by_length.x * rsqrtf(square.x + 1e-8F), by_length.y * rsqrtf(square.y + 1e-8F)};
    const float2 by_product = by_s * gate[1];
    float* to = state_.layer_row(layer, state_.at.mixed, 6, atom) + c;
#pragma unroll
    for (int x = 0; x < 3; ++x) {
      store2(to + x * 2 * features_, fma2(by_product, right[x], share * left[x]));
      store2(to + (x * 2 + 1) * features_, fma2(by_product, left[x], g[x] * gate[0]));
    }
  }

  /// A warp an atom: the last product has one output.
  __device__ void write_energies(Chunk atoms, const Linear& last, int n_in) const {
    const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
    for (int row = warp; row < atoms.n; row += n_warps()) {
      float sum = 0;
      for (int c = lane; c < n_in; c += 32) sum = fmaf(tile_.rows[row * n_in + c], __ldg(last.weight + c), sum);
#pragma unroll
      for (int distance = 16; distance >= 1; distance /= 2) sum += __shfl_xor_sync(core::full_warp, sum, distance);
      if (lane == 0) state_.energies[atoms.first + row] = sum + __ldg(last.bias);
    }
    __syncthreads();  // nobody reads the rows any more
  }

  /// `before` is what the hidden layers had before SiLU, up to here.
  __device__ void read_out_backward(Chunk atoms, const Linear& last, const float* before, int pitch) const {
    const ModelView& model = state_.model;
    int i = static_cast<int>(model.n_readouts) - 2;
    auto n_out = static_cast<int>(last.n_in);
    before -= n_out;
    fill_rows(tile_, atoms.n, n_out, [&](int row, int c) {
      const float2 x = load2(before + row * pitch + c);
      return float2{__ldg(last.weight + c) * silu_of(x.x).slope, __ldg(last.weight + c + 1) * silu_of(x.y).slope};
    });
    for (; i >= 0; --i) {
      const Linear linear = model.readout_layer(i);
      const auto n_in = static_cast<int>(linear.n_in);
      run(atoms.n, linear.weight, n_out, n_in);
      if (i > 0) {
        before -= n_in;
        activate_backward(atoms.n, n_in, before, pitch);
      }
      n_out = n_in;
    }
    float* gs = state_.row(state_.at.gs, 1, atoms.first);
    for_each_pair(atoms.n, features_,
                  [&](int row, int c) { store2(gs + row * features_ + c, tile_.sum2(row, c, features_, nullptr)); });
  }

  const State<IsPainn>& state_;
  Tile tile_;
  int features_;
};

}  // namespace rafter::forcefield_ladder::RAFTER_BACKEND
