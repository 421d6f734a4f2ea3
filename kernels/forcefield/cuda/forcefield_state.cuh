// What stages hand to each other, for some atoms: rows of channels in device memory, or in the shared memory of a block
// that has only some of the channels. Layers keep what the backward pass needs, so nothing is copied between the two.
#pragma once

#include "forcefield/model/forcefield_model.hpp"
#include "library/core/cuda/launch.cuh"
#include "library/core/cuda/reduce.cuh"

namespace rafter::forcefield_ladder::RAFTER_BACKEND {

/// Where fields begin, in rows of channels for each atom; those of layers behind the others, layer_stride apart.
struct StateLayout {
  int s_sum;      // 1: scalars with the messages
  int gs;         // 1: gradients by what a layer leaves, later by what it is given
  int gs_sum;     // 1: by what it has summed
  int gv;         // 3
  int gv_sum;     // 3
  int g_context;  // 3, painn
  int layers;

  int s;               // 1: scalars before the layer; behind the last layer, those it leaves
  int v;               // 3: vectors before the layer
  int v_sum;           // 3: with the messages
  int hidden;          // 1: the update's, before SiLU
  int gates;           // 3
  int context_hidden;  // 1, painn: before SiLU
  int context;         // 3, painn: what atoms send
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

/// Channels that a warp works on at a time: two for each lane.
inline constexpr int group_channels = 64;
constexpr int n_groups(const ModelView& model) {
  return static_cast<int>((model.features + group_channels - 1) / group_channels);
}

/// Channels whose shares of an atom's force are summed up by themselves, by 8 lanes: whoever has how many of the
/// segments, the same numbers are added in the same order.
inline constexpr int segment_channels = 16;
inline constexpr int segment_lanes = segment_channels / 2;
constexpr int n_segments(const ModelView& model) {
  return static_cast<int>((model.features + segment_channels - 1) / segment_channels);
}

/// Channels [first, first + n), which a block has of all.
struct ChannelRange {
  int first;
  int n;
};

/// Floats of the rows of some atoms, with so many channels, and of what is summed up over channels.
__host__ __device__ constexpr std::int64_t row_floats(const ModelView& model, std::int64_t capacity,
                                                      std::int64_t channels) {
  const StateLayout at = state_layout(model.is_painn());
  const std::int64_t n_rows = at.layers + model.layers * at.layer_stride + 1;  // s of the last layer
  return (n_rows * channels * capacity + 31) / 32 * 32;
}
__host__ __device__ constexpr std::int64_t sum_floats(const ModelView& model, std::int64_t capacity,
                                                      bool wants_strain) {
  const std::int64_t per_segment = wants_strain ? 3 + 9 : 3;
  return ((1 + n_segments(model) * per_segment) * capacity + 31) / 32 * 32;
}
/// Of both, with all channels.
__host__ __device__ constexpr std::int64_t state_floats(const ModelView& model, std::int64_t capacity,
                                                        bool wants_strain) {
  return row_floats(model, capacity, model.features) + sum_floats(model, capacity, wants_strain);
}

/// Atoms whose widest field has fewer than 2^31 floats.
constexpr std::int64_t most_state_atoms(const ModelView& model) { return 0x7fffffff / (6 * model.features); }

/// The state of `capacity` atoms. Channels are counted from the first that is there.
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

  /// In memory of row_floats() and sum_floats().
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
  /// With all channels, in memory of state_floats().
  __device__ State(const ModelView& its_model, int its_capacity, float* memory, bool wants_strain)
      : State(its_model, its_capacity, {0, static_cast<int>(its_model.features)}, memory,
              memory + row_floats(its_model, its_capacity, its_model.features), wants_strain) {}

  /// Row `atom` of a field that is `width` rows wide. Fields are small enough for 32 bits (most_state_atoms()).
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

// A molecule has the same bits from every kernel, so the compiler may not choose which product it fuses with a sum: one
// that a sum takes is __fmul_rn, or fmaf where it is to be fused. Plain products are for factors alone.
__device__ inline float2 operator+(float2 a, float2 b) { return {a.x + b.x, a.y + b.y}; }
__device__ inline float2 operator-(float2 a, float2 b) { return {a.x - b.x, a.y - b.y}; }
__device__ inline float2 operator*(float2 a, float2 b) { return {__fmul_rn(a.x, b.x), __fmul_rn(a.y, b.y)}; }
__device__ inline float2 operator*(float2 a, float b) { return {__fmul_rn(a.x, b), __fmul_rn(a.y, b)}; }
/// sum + a * b
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
/// x / (1 + exp(-x)), and its derivative.
__device__ inline SiluDual silu_of(float x) {
  const float share = 1 / (1 + __expf(-x));
  return {__fmul_rn(x, share), __fmul_rn(share, fmaf(x, 1 - share, 1))};
}

}  // namespace rafter::forcefield_ladder::RAFTER_BACKEND
