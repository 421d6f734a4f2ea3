// Messages between atoms and their gradients: each lane has an atom and two channels, and processes the atom's
// neighbours one after the other. Every sum is computed by one lane, in the order of the neighbours: no atomics,
// bitwise reproducible. Bound by loading the table's polynomials from the L2.
//
// The backward pass processes both directions of an edge at once. Then only the lanes of atom a write its gradients and
// its force, and no edge's gradient is stored:
//
//   edge a <- b   gs_a, gv_a times the message of b       edge b <- a   gs_b, gv_b times the message of a
//
// Both have the same filters, and unit vectors of opposite sign.
#pragma once

#include "forcefield/cuda/forcefield_length.cuh"
#include "forcefield/cuda/forcefield_state.cuh"
#include "library/ptx/cache_hints.cuh"

namespace rafter::forcefield_ladder::RAFTER_BACKEND {

/// An edge: its vector from the receiver, and the position of its length in the table.
struct alignas(16) Edge {
  float x, y, z;
  float length;
  float inverse;  // of the divisor of the unit vector
  float share;    // position in its interval, from 0 to 1
  int interval;
};

/// The number of the table's intervals per Angstrom.
__device__ inline float table_steps(const ModelView& model) {
  return static_cast<float>(model.n_intervals) / static_cast<float>(model.cutoff);
}

template <bool IsPainn>
__device__ Edge make_edge(const ModelView& model, float x, float y, float z) {
  const float length = sqrtf(squared_length(x, y, z)), place = __fmul_rn(length, table_steps(model));
  const int interval = min(static_cast<int>(place), static_cast<int>(model.n_intervals) - 1);
  const float divisor = IsPainn ? length : length + static_cast<float>(1e-8);
  return {x, y, z, length, 1 / divisor, place - static_cast<float>(interval), interval};
}

/// Two channels of a filter, and their derivatives with respect to the distance.
struct FilterDual {
  float2 value;
  float2 slope;
};

/// The filters of a distance, from the table.
class TabulatedFilters {
 public:
  __device__ TabulatedFilters(const ModelView& model, int layer, int channel, const Edge& edge)
      : place_(edge.share), steps_(table_steps(model)), stride_(static_cast<int>(model.features)) {
    row_ = model.table + (edge.interval * static_cast<int>(model.layers) + layer) * (n_filters * 4 * stride_) + channel;
  }

  __device__ float2 value(int filter) const {
    const auto [c0, c1, c2, c3] = cubic(filter);
    return fma2(fma2(fma2(c3, place_, c2), place_, c1), place_, c0);
  }

  __device__ FilterDual dual(int filter) const {
    const auto [c0, c1, c2, c3] = cubic(filter);
    const float2 value = fma2(fma2(fma2(c3, place_, c2), place_, c1), place_, c0);
    const float2 slope = fma2(fma2(c3, 1.5F * place_, c2), 2 * place_, c1);
    return {value, slope * steps_};
  }

 private:
  struct Cubic {
    float2 c0, c1, c2, c3;
  };
  __device__ Cubic cubic(int filter) const {
    const float* at = row_ + filter * 4 * stride_;
    const auto power = [&](int i) { return __ldg(reinterpret_cast<const float2*>(at + i * stride_)); };
    return {power(0), power(1), power(2), power(3)};
  }

  const float* row_;
  float place_, steps_;
  int stride_;
};

/// The precomputed filters of a pair of atoms: [filter][lanes of a segment], values and slopes of two channels.
class PairFilters {
 public:
  static constexpr int size = n_filters * segment_lanes;  // of float4

  __device__ PairFilters(const float4* filters, int pair, int lane) : at_(filters + pair * size + lane) {}

  __device__ float2 value(int filter) const { return dual(filter).value; }
  __device__ FilterDual dual(int filter) const {
    const float4 both = at_[filter * segment_lanes];
    return {{both.x, both.y}, {both.z, both.w}};
  }

 private:
  const float4* at_;
};

/// The index of a pair of different atoms, in either order, and the number of pairs of a molecule.
__device__ inline int pair_number(int a, int b) {
  const int high = max(a, b);
  return high * (high - 1) / 2 + min(a, b);
}
__host__ __device__ constexpr std::int64_t n_pairs(std::int64_t n_atoms) { return n_atoms * (n_atoms - 1) / 2; }

/// Prefetches the filters of a distance, of all layers, to the L2.
__device__ inline void prefetch_filters(const ModelView& model, const Edge& edge) {
  const std::int64_t size = model.layers * n_filters * 4 * model.features;
  ptx::prefetch_l2(model.table + edge.interval * size, static_cast<int>(size * std::int64_t{sizeof(float)}));
}

/// Two channels of an atom's message: the factors of the filters.
struct Sent {
  float2 by_filter[n_filters];
};

template <bool IsPainn>
__device__ Sent sent_by(const State<IsPainn>& state, int layer, int atom, int channel) {
  if constexpr (IsPainn) {
    const float* row = state.layer_row(layer, state.at.context, 3, atom) + channel;
    const int pitch = state.n_channels;
    return {{load2(row), load2(row + pitch), load2(row + 2 * pitch)}};
  } else {
    return {{load2(state.layer_row(layer, state.at.s, 1, atom) + channel), {1, 1}, {1, 1}}};
  }
}

/// A lane's atom and its two channels, counted from the state's first. A lane without an atom or channels repeats
/// another lane's work and writes nothing.
struct MessageLane {
  int atom;
  int channel;
  bool is_active;
};
/// The lane of a warp that has an atom and a group of channels. Collective: all lanes of the warp.
template <bool IsPainn>
__device__ MessageLane lane_of_group(const State<IsPainn>& state, int atom, int group) {
  const int channel = group * group_channels + static_cast<int>(threadIdx.x) % 32 * 2;
  const bool is_active = channel < state.n_channels;
  return {atom, is_active ? channel : 0, is_active};
}

/// Computes s_sum and v_sum of an atom: its state plus the messages of its neighbours. `neighbours(f)` calls
/// f(neighbour, edge, filters) for each of them, always in the same order.
template <bool IsPainn, class Neighbours>
__device__ void pass_messages(const State<IsPainn>& state, int layer, const MessageLane& lane,
                              const Neighbours& neighbours) {
  constexpr int along = IsPainn ? 1 : 2, from = IsPainn ? 2 : 1;
  const int atom = lane.atom, channel = lane.channel;
  const int v_field = state.at.v + layer * state.at.layer_stride;
  float2 s = load2(state.layer_row(layer, state.at.s, 1, atom) + channel);
  float2 v[3] = {};
  if (layer > 0) load_vector(state, v_field, atom, channel, v);
  neighbours([&](int other, const Edge& edge, const auto& filters) {
    const Sent sent = sent_by<IsPainn>(state, layer, other, channel);
    s = fma2(filters.value(scalar_filter), sent.by_filter[scalar_filter], s);
    const float2 to_edge = filters.value(along) * sent.by_filter[along];
    v[0] = fma2(to_edge, edge.x * edge.inverse, v[0]);
    v[1] = fma2(to_edge, edge.y * edge.inverse, v[1]);
    v[2] = fma2(to_edge, edge.z * edge.inverse, v[2]);
    if (layer == 0) return;  // all vectors are zero
    const float2 to_vector = filters.value(from) * sent.by_filter[from];
    float2 theirs[3];
    load_vector(state, v_field, other, channel, theirs);
#pragma unroll
    for (int x = 0; x < 3; ++x) v[x] = fma2(to_vector, theirs[x], v[x]);
  });
  if (!lane.is_active) return;
  store2(state.row(state.at.s_sum, 1, atom) + channel, s);
  store_vector(state, state.at.v_sum + layer * state.at.layer_stride, atom, channel, v);
}

/// An atom's force and, optionally, half of its edges' strain; the other half belongs to the edges' other atoms. Every
/// lane sums the contributions of its channels, edge by edge; the lanes of a segment are added at the end.
template <bool IsPainn, bool WantsStrain>
class EdgeGradients {
 public:
  /// Adds an edge, given the energy's derivatives with respect to its length and its unit vector.
  __device__ void add(const Edge& edge, float by_length, const float3& by_unit) {
    const float inverse = edge.inverse;
    const float along = fmaf(by_unit.x, edge.x, fmaf(by_unit.y, edge.y, __fmul_rn(by_unit.z, edge.z))) * inverse;
    const float radial = fmaf(-along, inverse, by_length) / edge.length;
    const float g[3] = {fmaf(edge.x, radial, by_unit.x * inverse), fmaf(edge.y, radial, by_unit.y * inverse),
                        fmaf(edge.z, radial, by_unit.z * inverse)};
    const float e[3] = {edge.x, edge.y, edge.z};
#pragma unroll
    for (int i = 0; i < n; ++i) sums_[i] = fmaf(g[i < 3 ? i : (i - 3) / 3], i < 3 ? 1 : e[i % 3], sums_[i]);
  }

  /// Adds to the segment's sums of the earlier layers. Lanes without channels contribute nothing. Collective: all lanes
  /// of the warp.
  __device__ void store(const State<IsPainn>& state, const MessageLane& lane, bool is_first) const {
    const int segment = (state.first_channel + lane.channel) / segment_channels;
    const std::int64_t row = std::int64_t{segment} * state.capacity + lane.atom;
#pragma unroll
    for (int i = 0; i < n; ++i) {
      const float sum = core::warp_sum<segment_lanes>(lane.is_active ? sums_[i] : 0);
      if (threadIdx.x % segment_lanes != 0 || !lane.is_active) continue;
      float& total = i < 3 ? state.forces[row * 3 + i] : state.strains[row * 9 + i - 3];
      total = (i < 3 ? sum : 0.5F * sum) + (is_first ? 0 : total);
    }
  }

 private:
  static constexpr int n = WantsStrain ? 12 : 3;
  float sums_[n] = {};
};

/// Computes an atom's gs and gv, painn's g_context, and its share of the force, from gs_sum and gv_sum of the atom and
/// its neighbours.
template <bool IsPainn, bool WantsStrain, class Neighbours>
__device__ void pass_messages_backward(const State<IsPainn>& state, int layer, const MessageLane& lane,
                                       const Neighbours& neighbours) {
  constexpr int along = IsPainn ? 1 : 2, from = IsPainn ? 2 : 1;
  const int atom = lane.atom, channel = lane.channel;
  const int v_field = state.at.v + layer * state.at.layer_stride;
  const Sent mine = sent_by<IsPainn>(state, layer, atom, channel);
  const float2 gs_mine = load2(state.row(state.at.gs_sum, 1, atom) + channel);
  float2 gv_mine[3], v_mine[3] = {};
  load_vector(state, state.at.gv_sum, atom, channel, gv_mine);
  if (layer > 0) load_vector(state, v_field, atom, channel, v_mine);
  float2 gs = IsPainn ? float2{} : gs_mine;
  float2 gv[3] = {gv_mine[0], gv_mine[1], gv_mine[2]};
  float2 g_along{}, g_from{};  // painn: with respect to the other two factors of its message
  EdgeGradients<IsPainn, WantsStrain> gradients;
  neighbours([&](int other, const Edge& edge, const auto& filters) {
    const Sent theirs = sent_by<IsPainn>(state, layer, other, channel);
    const float3 unit{edge.x * edge.inverse, edge.y * edge.inverse, edge.z * edge.inverse};
    const float2 gs_theirs = load2(state.row(state.at.gs_sum, 1, other) + channel);
    float2 gv_theirs[3];
    load_vector(state, state.at.gv_sum, other, channel, gv_theirs);

    const FilterDual by_scalar = filters.dual(scalar_filter);
    float2 distance =
        by_scalar.slope * fma2(gs_mine, theirs.by_filter[scalar_filter], gs_theirs * mine.by_filter[scalar_filter]);
    gs = fma2(by_scalar.value, gs_theirs, gs);

    const FilterDual by_edge = filters.dual(along);
    float2 pulls[3];  // the two atoms' gradients along the three axes
#pragma unroll
    for (int x = 0; x < 3; ++x)
      pulls[x] = fma2(gv_mine[x], theirs.by_filter[along], gv_theirs[x] * mine.by_filter[along] * -1);
    distance = fma2(by_edge.slope, fma2(pulls[0], unit.x, fma2(pulls[1], unit.y, pulls[2] * unit.z)), distance);
    const float3 by_unit{dot2(by_edge.value, pulls[0]), dot2(by_edge.value, pulls[1]), dot2(by_edge.value, pulls[2])};
    if constexpr (IsPainn) {
      const float2 seen = fma2(gv_theirs[0], unit.x, fma2(gv_theirs[1], unit.y, gv_theirs[2] * unit.z));
      g_along = fma2(by_edge.value, seen * -1.0F, g_along);
    }

    if (layer > 0) {
      const FilterDual by_vector = filters.dual(from);
      float2 v_theirs[3];
      load_vector(state, v_field, other, channel, v_theirs);
      const float2 to_mine = dot3(gv_mine, v_theirs), to_theirs = dot3(gv_theirs, v_mine);
      distance =
          fma2(by_vector.slope, fma2(to_mine, theirs.by_filter[from], to_theirs * mine.by_filter[from]), distance);
      const float2 factor = by_vector.value * mine.by_filter[from];
#pragma unroll
      for (int x = 0; x < 3; ++x) gv[x] = fma2(factor, gv_theirs[x], gv[x]);
      if constexpr (IsPainn) g_from = fma2(by_vector.value, to_theirs, g_from);
    }
    gradients.add(edge, distance.x + distance.y, by_unit);
  });
  gradients.store(state, lane, layer + 1 == state.n_layers);
  if (!lane.is_active) return;
  if constexpr (IsPainn) {
    float* row = state.row(state.at.g_context, 3, atom) + channel;
    store2(row + scalar_filter * state.n_channels, gs);
    store2(row + along * state.n_channels, g_along);
    store2(row + from * state.n_channels, g_from);
  } else {
    store2(state.row(state.at.gs, 1, atom) + channel, gs);
  }
  store_vector(state, state.at.gv, atom, channel, gv);
}

}  // namespace rafter::forcefield_ladder::RAFTER_BACKEND
