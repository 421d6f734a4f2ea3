// The state of atoms between stages: rows of channels in device memory, or in the shared memory of a block with a part
// of the channels. Layers keep the intermediate results for the backward pass in place, so nothing is copied.
#pragma once

#include "forcefield/model/forcefield_model.hpp"
#include "library/core/cuda/launch.cuh"
#include "library/core/cuda/reduce.cuh"

namespace rafter::forcefield_ladder::RAFTER_BACKEND {

/// The offsets of fields, in rows of channels per atom; the fields of layers follow the others, layer_stride apart.
struct StateLayout {
  int s_sum;      // 1: scalars with the messages
  int gs;         // 1: gradients with respect to a layer's output, then to its input
  int gs_sum;     // 1: with respect to the sums with the messages
  int gv;         // 3
  int gv_sum;     // 3
  int g_context;  // 3, painn
  int layers;

  int s;               // 1: scalars before the layer; after the last layer, its output
  int v;               // 3: vectors before the layer
  int v_sum;           // 3: with the messages
  int hidden;          // 1: the update's hidden layer, before SiLU
  int gates;           // 3
  int context_hidden;  // 1, painn: before SiLU
  int context;         // 3, painn: the factors of messages
  int mixed;           // 6, painn: [3][2]
  int layer_stride;
};

constexpr StateLayout state_layout(bool is_painn) {
  const int painn = is_painn ? 1 : 0;
  StateLayout at{};
  int next = 0;
  const auto take = [&](int n) {
    next += n;
    return next - n;
  };
  at.s_sum = take(1);
  at.gs = take(1);
  at.gs_sum = take(1);
  at.gv = take(3);
  at.gv_sum = take(3);
  at.g_context = take(3 * painn);
  at.layers = next;
  at.s = take(1);
  at.v = take(3);
  at.v_sum = take(3);
  at.hidden = take(1);
  at.gates = take(3);
  at.context_hidden = take(painn);
  at.context = take(3 * painn);
  at.mixed = take(6 * painn);
  at.layer_stride = next - at.layers;
  return at;
}

/// The channels that a warp processes at a time: two per lane.
inline constexpr int group_channels = 64;
constexpr int n_groups(const ModelView& model) {
  return static_cast<int>((model.features + group_channels - 1) / group_channels);
}

/// The channels of a segment, whose contributions to an atom's force are summed separately, by 8 lanes. However the
/// segments are divided among warps and blocks, the same numbers are added in the same order.
inline constexpr int segment_channels = 16;
inline constexpr int segment_lanes = segment_channels / 2;
constexpr int n_segments(const ModelView& model) {
  return static_cast<int>((model.features + segment_channels - 1) / segment_channels);
}

/// The channels [first, first + n) of a block.
struct ChannelRange {
  int first;
  int n;
};

/// The number of floats of the rows of atoms with this number of channels, and of the sums over channels.
__host__ __device__ constexpr std::int64_t row_floats(const ModelView& model, std::int64_t capacity,
                                                      std::int64_t channels) {
  const StateLayout at = state_layout(model.is_painn());
  const std::int64_t n_rows = at.layers + model.layers * at.layer_stride + 1;  // + 1: s after the last layer
  return (n_rows * channels * capacity + 31) / 32 * 32;
}
__host__ __device__ constexpr std::int64_t sum_floats(const ModelView& model, std::int64_t capacity,
                                                      bool wants_strain) {
  const std::int64_t per_segment = wants_strain ? 3 + 9 : 3;
  return ((1 + n_segments(model) * per_segment) * capacity + 31) / 32 * 32;
}
/// The number of floats of rows and sums, with all channels.
__host__ __device__ constexpr std::int64_t state_floats(const ModelView& model, std::int64_t capacity,
                                                        bool wants_strain) {
  return row_floats(model, capacity, model.features) + sum_floats(model, capacity, wants_strain);
}

/// The most atoms for which the widest field has fewer than 2^31 floats.
constexpr std::int64_t most_state_atoms(const ModelView& model) { return 0x7fffffff / (6 * model.features); }

/// The state of `capacity` atoms. Channels are counted from the block's first one.
template <bool IsPainn>
struct State {
  static constexpr StateLayout at = state_layout(IsPainn);

  const ModelView& model;
  int first_channel, n_channels;
  int n_layers;
  int capacity;
  float* rows;      // [fields][capacity][channels]
  float* energies;  // [capacity]
  float* forces;    // [segments][capacity][3]: each segment's share
  float* strains;   // [segments][capacity][9], or null

  /// Uses memory of row_floats() and sum_floats().
  __device__ State(const ModelView& its_model, int its_capacity, ChannelRange channels, float* its_rows, float* sums,
                   bool wants_strain)
      : model(its_model),
        first_channel(channels.first),
        n_channels(channels.n),
        n_layers(static_cast<int>(its_model.layers)),
        capacity(its_capacity),
        rows(its_rows),
        energies(sums),
        forces(energies + capacity),
        strains(wants_strain ? forces + std::int64_t{n_segments(model)} * capacity * 3 : nullptr) {}
  /// Has all channels and uses memory of state_floats().
  __device__ State(const ModelView& its_model, int its_capacity, float* memory, bool wants_strain)
      : State(its_model, its_capacity, {0, static_cast<int>(its_model.features)}, memory,
              memory + row_floats(its_model, its_capacity, its_model.features), wants_strain) {}

  /// Returns row `atom` of a field that is `width` rows wide. Offsets in a field fit in 32 bits (most_state_atoms()).
  __device__ float* row(int field, int width, int atom) const {
    return rows + std::int64_t{field} * capacity * n_channels + atom * (width * n_channels);
  }
  __device__ float* layer_row(int layer, int field, int width, int atom) const {
    return row(field + layer * at.layer_stride, width, atom);
  }
};

__device__ inline float2 load2(const float* from) { return *reinterpret_cast<const float2*>(from); }
__device__ inline void store2(float* to, float2 value) { *reinterpret_cast<float2*>(to) = value; }
__device__ inline float4 load4(const float* from) { return *reinterpret_cast<const float4*>(from); }
__device__ inline void store4(float* to, float4 value) { *reinterpret_cast<float4*>(to) = value; }

// Every kernel gives a molecule bitwise the same results, so the compiler must not choose which products it fuses with
// sums: a product that is added is written as __fmul_rn, or as fmaf if it is to be fused. Plain products are only used
// as factors.
__device__ inline float2 operator+(float2 a, float2 b) { return {a.x + b.x, a.y + b.y}; }
__device__ inline float2 operator-(float2 a, float2 b) { return {a.x - b.x, a.y - b.y}; }
__device__ inline float2 operator*(float2 a, float2 b) { return {__fmul_rn(a.x, b.x), __fmul_rn(a.y, b.y)}; }
__device__ inline float2 operator*(float2 a, float b) { return {__fmul_rn(a.x, b), __fmul_rn(a.y, b)}; }
/// Computes sum + a * b.
__device__ inline float2 fma2(float2 a, float2 b, float2 sum) { return {fmaf(a.x, b.x, sum.x), fmaf(a.y, b.y, sum.y)}; }
__device__ inline float2 fma2(float2 a, float b, float2 sum) { return {fmaf(a.x, b, sum.x), fmaf(a.y, b, sum.y)}; }
__device__ inline float dot2(float2 a, float2 b) { return fmaf(a.x, b.x, __fmul_rn(a.y, b.y)); }
__device__ inline float2 dot3(const float2 (&a)[3], const float2 (&b)[3]) {
  return fma2(a[0], b[0], fma2(a[1], b[1], a[2] * b[2]));
}

/// Two channels of a vector field's row.
template <bool IsPainn>
__device__ void load_vector(const State<IsPainn>& state, int field, int atom, int channel, float2 (&to)[3]) {
  const float* row = state.row(field, 3, atom) + channel;
#pragma unroll
  for (int x = 0; x < 3; ++x) to[x] = load2(row + x * state.n_channels);
}
template <bool IsPainn>
__device__ void store_vector(const State<IsPainn>& state, int field, int atom, int channel, const float2 (&from)[3]) {
  float* row = state.row(field, 3, atom) + channel;
#pragma unroll
  for (int x = 0; x < 3; ++x) store2(row + x * state.n_channels, from[x]);
}

struct SiluDual {
  float value;
  float slope;
};
/// Computes x / (1 + exp(-x)) and its derivative.
__device__ inline SiluDual silu_of(float x) {
  const float share = 1 / (1 + __expf(-x));
  return {__fmul_rn(x, share), __fmul_rn(share, fmaf(x, 1 - share, 1))};
}

}  // namespace rafter::forcefield_ladder::RAFTER_BACKEND
