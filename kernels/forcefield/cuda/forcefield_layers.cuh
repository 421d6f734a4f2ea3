// The work of a block on up to 12 atoms between messages: contexts and updates, forward and backward. Collective: all
// threads of the block call these functions. Each ends with a barrier, which orders its reads of the tile and its
// results before the next function.
#pragma once

#include "forcefield/cuda/forcefield_dense.cuh"

namespace rafter::forcefield_ladder::RAFTER_BACKEND {

/// Calls f(chunk) for chunks of nearly equal size of rows [begin, end).
template <class F>
__device__ void for_each_chunk(int n_rows, const F& f) {
  const int n_chunks = (n_rows + tile_rows - 1) / tile_rows;
  for (int i = 0; i < n_chunks; ++i) {
    const int begin = i * n_rows / n_chunks;
    f(Chunk{begin, (i + 1) * n_rows / n_chunks - begin});
  }
}

/// The layers of a model. `Tile` is BlockTile, or ClusterTile for blocks with a part of the channels.
template <bool IsPainn, class Tile>
class Layers {
 public:
  __device__ Layers(const State<IsPainn>& state, Tile& tile) : state_(state), tile_(tile), pitch_(state.n_channels) {}

  /// Announces the matrices that are needed next: after the messages of a layer, or before those of the backward pass.
  __device__ void fetch_update(int layer) const {
    const Linear first = state_.model.update_hidden(layer), second = state_.model.update(layer);
    if constexpr (IsPainn) fetch(state_.model.channel_mixing(layer), 2);
    fetch(first, 1);
    if constexpr (!IsPainn) fetch(second, 3);
  }
  __device__ void fetch_update_backward(int layer) const {
    const Linear first = state_.model.update_hidden(layer), second = state_.model.update(layer);
    tile_.fetch(second.weight, n_out(second), channels(1));
    tile_.fetch(first.weight, n_out(first), channels(2));
  }

  /// Multiplies rows of a field by a matrix and stores them to another field; painn's vectors have [atoms * 3] rows.
  __device__ void mix(int layer, Chunk rows) const {
    const float* in = state_.layer_row(layer, state_.at.v_sum, 1, rows.first);
    float* out = state_.layer_row(layer, state_.at.mixed, 2, rows.first);
    const Linear mixing = state_.model.channel_mixing(layer);
    tile_.fill(rows.n, channels(1), [&](int row, int, int c) { return load2(in + row * pitch_ + c); });
    tile_.run(rows.n, mixing.transposed, n_in(mixing), channels(2));
    for_each_pair(rows.n, channels(2), [&](int row, int part, int c) {
      store2(out + (row * 2 + part) * pitch_ + c, tile_.sum2(row, part, c, channels(2), nullptr));
    });
    __syncthreads();  // all threads have read the tile
  }

  /// Computes gv_sum = gv + the gradient propagated through the mixing.
  __device__ void mix_backward(int layer, Chunk rows) const {
    const float* in = state_.layer_row(layer, state_.at.mixed, 2, rows.first);
    const float* gv = state_.row(state_.at.gv, 1, rows.first);
    float* out = state_.row(state_.at.gv_sum, 1, rows.first);
    const Linear mixing = state_.model.channel_mixing(layer);
    const bool is_last = layer + 1 == state_.n_layers;  // gv is zero
    tile_.fill(rows.n, channels(2),
               [&](int row, int part, int c) { return load2(in + (row * 2 + part) * pitch_ + c); });
    tile_.run(rows.n, mixing.weight, n_out(mixing), channels(1));
    for_each_pair(rows.n, channels(1), [&](int row, int, int c) {
      const float2 straight = is_last ? float2{} : load2(gv + row * pitch_ + c);
      store2(out + row * pitch_ + c, tile_.sum2(row, 0, c, channels(1), nullptr) + straight);
    });
    __syncthreads();  // all threads have read the tile
  }

  /// Computes painn's contexts, the messages' factors.
  __device__ void make_context(int layer, Chunk atoms) const {
    const float* in = state_.layer_row(layer, state_.at.s, 1, atoms.first);
    float* hidden = state_.layer_row(layer, state_.at.context_hidden, 1, atoms.first);
    float* out = state_.layer_row(layer, state_.at.context, 3, atoms.first);
    const Linear first = state_.model.context_hidden(layer), second = state_.model.context(layer);
    tile_.fill(atoms.n, channels(1), [&](int row, int, int c) { return load2(in + row * pitch_ + c); });
    tile_.run(atoms.n, first.transposed, n_in(first), channels(1));
    activate(tile_, atoms.n, channels(1), first.bias, hidden, pitch_);
    tile_.run(atoms.n, second.transposed, n_in(second), channels(3));
    for_each_pair(atoms.n, channels(3), [&](int row, int part, int c) {
      store2(out + (row * 3 + part) * pitch_ + c, tile_.sum2(row, part, c, channels(3), second.bias));
    });
    __syncthreads();  // all threads have read the tile
  }

  /// Computes gs = gs_sum + the gradient propagated through the context.
  __device__ void make_context_backward(int layer, Chunk atoms) const {
    const float* in = state_.row(state_.at.g_context, 3, atoms.first);
    const float* hidden = state_.layer_row(layer, state_.at.context_hidden, 1, atoms.first);
    const float* gs_sum = state_.row(state_.at.gs_sum, 1, atoms.first);
    float* gs = state_.row(state_.at.gs, 1, atoms.first);
    const Linear first = state_.model.context_hidden(layer), second = state_.model.context(layer);
    tile_.fill(atoms.n, channels(3),
               [&](int row, int part, int c) { return load2(in + (row * 3 + part) * pitch_ + c); });
    tile_.run(atoms.n, second.weight, n_out(second), channels(1));
    activate_backward(tile_, atoms.n, channels(1), hidden, pitch_);
    tile_.run(atoms.n, first.weight, n_out(first), channels(1));
    for_each_pair(atoms.n, channels(1), [&](int row, int, int c) {
      store2(gs + row * pitch_ + c, tile_.sum2(row, 0, c, channels(1), nullptr) + load2(gs_sum + row * pitch_ + c));
    });
    __syncthreads();  // all threads have read the tile
  }

  /// Computes s and v of the next layer.
  __device__ void update(int layer, Chunk atoms) const {
    const float* s_sum = state_.row(state_.at.s_sum, 1, atoms.first);
    const Vectors vectors = vectors_of(layer, atoms.first);
    tile_.fill(atoms.n, channels(2), [&](int row, int part, int c) {
      return part == 0 ? load2(s_sum + row * pitch_ + c) : lengths(vectors, row, c);
    });
    const Linear first = state_.model.update_hidden(layer), second = state_.model.update(layer);
    tile_.run(atoms.n, first.transposed, n_in(first), channels(1));
    activate(tile_, atoms.n, channels(1), first.bias, state_.layer_row(layer, state_.at.hidden, 1, atoms.first),
             pitch_);
    tile_.run(atoms.n, second.transposed, n_in(second), channels(3));
    float* gates = state_.layer_row(layer, state_.at.gates, 3, atoms.first);
    float* s = state_.layer_row(layer + 1, state_.at.s, 1, atoms.first);
    const bool is_last = layer + 1 == state_.n_layers;  // its vectors are not used
    for_each_pair(atoms.n, channels(1), [&](int row, int, int c) {
      float2 gate[3];
#pragma unroll
      for (int i = 0; i < 3; ++i) {
        gate[i] = tile_.sum2(row, i, c, channels(3), second.bias);
        store2(gates + (row * 3 + i) * pitch_ + c, gate[i]);
      }
      float2 now = load2(s_sum + row * pitch_ + c) + gate[0];
      if constexpr (IsPainn) now = fma2(gate[2], dot_of_mixed(vectors, row, c), now);
      store2(s + row * pitch_ + c, now);
      if (!is_last) store_new_vectors(layer, vectors, atoms.first + row, row, c, gate);
    });
    __syncthreads();  // all threads have read the tile, and the results are written
  }

  /// Computes gs_sum, and the student's gv_sum or, in place of painn's mixed vectors, the gradients with respect to
  /// them.
  __device__ void update_backward(int layer, Chunk atoms) const {
    const float* gs = state_.row(state_.at.gs, 1, atoms.first);
    const float* gv = state_.row(state_.at.gv, 3, atoms.first);
    const float* gates = state_.layer_row(layer, state_.at.gates, 3, atoms.first);
    const Linear first = state_.model.update_hidden(layer), second = state_.model.update(layer);
    const Vectors vectors = vectors_of(layer, atoms.first);
    const bool is_last = layer + 1 == state_.n_layers;  // gv is zero
    tile_.fill(atoms.n, channels(3), [&](int row, int part, int c) {
      if (part == 0) return load2(gs + row * pitch_ + c);
      float2 g[3];
      gradient_of_vector(gv, is_last, row, c, g);
      if constexpr (IsPainn) {
        if (part == 2) return load2(gs + row * pitch_ + c) * dot_of_mixed(vectors, row, c);
        float2 right[3];
        load_mixed(vectors, row, pitch_ + c, right);
        return dot3(g, right);
      } else {
        float2 v[3], turned[3];
        load3(vectors, row, c, v);
        if (part == 1) return dot3(g, v);
        turn(layer, v, turned);
        return dot3(g, turned);
      }
    });
    tile_.run(atoms.n, second.weight, n_out(second), channels(1));
    activate_backward(tile_, atoms.n, channels(1), state_.layer_row(layer, state_.at.hidden, 1, atoms.first), pitch_);
    tile_.run(atoms.n, first.weight, n_out(first), channels(2));
    float* gs_sum = state_.row(state_.at.gs_sum, 1, atoms.first);
    for_each_pair(atoms.n, channels(1), [&](int row, int, int c) {
      const float2 by_s = load2(gs + row * pitch_ + c);
      store2(gs_sum + row * pitch_ + c, by_s + tile_.sum2(row, 0, c, channels(2), nullptr));
      const float2 by_length = tile_.sum2(row, 1, c, channels(2), nullptr);
      const float2 gate[2] = {load2(gates + (row * 3 + 1) * pitch_ + c), load2(gates + (row * 3 + 2) * pitch_ + c)};
      float2 g[3];
      gradient_of_vector(gv, is_last, row, c, g);
      if constexpr (IsPainn) {
        store_mixed_gradients(layer, vectors, atoms.first + row, row, c, by_s, by_length, gate, g);
      } else {
        store_vector_gradients(layer, vectors, atoms.first + row, row, c, by_length, gate, g);
      }
    });
    __syncthreads();  // all threads have read the tile, and the results are written
  }

 private:
  /// The source of vectors: the student's sums with the messages, or painn's mixed ones.
  struct Vectors {
    const float* rows;
    int pitch;  // from one axis to the next
  };

  __device__ Vectors vectors_of(int layer, int atom) const {
    if constexpr (IsPainn) return {state_.layer_row(layer, state_.at.mixed, 6, atom), 2 * pitch_};
    return {state_.layer_row(layer, state_.at.v_sum, 3, atom), pitch_};
  }

  __device__ Columns channels(int n_parts) const { return tile_.channels(state_.model, n_parts); }

  __device__ void fetch(const Linear& linear, int n_parts) const {
    tile_.fetch(linear.transposed, n_in(linear), channels(n_parts));
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
    load3(vectors, row, pitch_ + c, right);
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
    for (int x = 0; x < 3; ++x) g[x] = is_zero ? float2{} : load2(gv + (row * 3 + x) * pitch_ + c);
  }

  /// Computes M v.
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
      load3(vectors, row, pitch_ + c, other);
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
    load3(vectors, row, pitch_ + c, right);
    const float2 square = dot3(left, left);
    const float2 share = {by_length.x * rsqrtf(square.x + 1e-8F), by_length.y * rsqrtf(square.y + 1e-8F)};
    const float2 by_product = by_s * gate[1];
    float* to = state_.layer_row(layer, state_.at.mixed, 6, atom) + c;
#pragma unroll
    for (int x = 0; x < 3; ++x) {
      store2(to + x * 2 * pitch_, fma2(by_product, right[x], share * left[x]));
      store2(to + (x * 2 + 1) * pitch_, fma2(by_product, left[x], g[x] * gate[0]));
    }
  }

  const State<IsPainn>& state_;
  Tile& tile_;
  int pitch_;  // of the state's rows
};

}  // namespace rafter::forcefield_ladder::RAFTER_BACKEND
