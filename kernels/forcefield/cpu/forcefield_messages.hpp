// Messages between atoms and their gradients, pair by pair: filters are calculated once for both directions of an edge.
// Part of forcefield_simd.cpp: each level has functions of its own.
//
// Rows of an atom and an image of it are the same ones, so what is added to one atom is stored before the other's is
// loaded.
#pragma once

#include "forcefield/cpu/forcefield_three.hpp"
#include "forcefield/forcefield_simd.hpp"

namespace rafter::forcefield_ladder::cpu {

namespace {

enum Filter { to_scalar, to_edge, to_vector };

/// A vector of channels of a filter, and of its derivative by the place in the interval.
struct Cubic {
  core::Vector value, slope;
};

__attribute__((always_inline)) inline core::Vector value_of(const float* cubics, Filter filter, core::Vector place) {
  using namespace core;
  const auto c = [&](int power) __attribute__((always_inline)) {
    return load(cubics + (filter * 4 + power) * block_channels);
  };
  return fma(fma(fma(c(3), place, c(2)), place, c(1)), place, c(0));
}

__attribute__((always_inline)) inline Cubic cubic_of(const float* cubics, Filter filter, core::Vector place) {
  using namespace core;
  const auto c = [&](int power) __attribute__((always_inline)) {
    return load(cubics + (filter * 4 + power) * block_channels);
  };
  // By Horner's rule for both: the slope takes what the value has before each step.
  const Vector second = fma(c(3), place, c(2)), first = fma(second, place, c(1));
  return {fma(first, place, c(0)), fma(fma(c(3), place, second), place, first)};
}

/// Calls f(first channel, its cubics) for each vector of channels.
template <class F>
__attribute__((always_inline)) inline void for_each_channels(const float* cubics, std::int64_t channels, const F& f) {
  for (std::int64_t c = 0; c < channels; c += block_channels, cubics += block_floats) {
    RAFTER_UNROLL
    for (int lane = 0; lane < block_channels; lane += core::n_lanes) f(c + lane, cubics + lane);
  }
}

/// The factors of an atom's three filters: of the student the first alone is not 1.
template <bool IsPainn>
struct Sent {
  core::Vector by_scalar, by_edge, by_vector;

  __attribute__((always_inline)) static Sent load(const float* row, std::int64_t channels) {
    if constexpr (IsPainn) return {core::load(row), core::load(row + channels), core::load(row + 2 * channels)};
    return {core::load(row), core::Vector{}, core::Vector{}};
  }
  __attribute__((always_inline)) core::Vector to_edge(core::Vector filter) const {
    return IsPainn ? filter * by_edge : filter;
  }
  __attribute__((always_inline)) core::Vector to_vector(core::Vector filter) const {
    return IsPainn ? filter * by_vector : filter;
  }
};

template <bool IsPainn, bool HasVectors>
void pass_pairs(const Messages& messages) {
  using namespace core;
  const std::int64_t channels = messages.channels;
  for (const Pair* pair = messages.pairs; pair < messages.pairs + messages.n_pairs; ++pair) {
    const Vector place = in_all_lanes(pair->place);
    const Three unit = in_all_lanes3(pair->unit), back{-unit.x, -unit.y, -unit.z};
    for_each_channels(
        messages.table + pair->interval * messages.table_pitch,
        channels, [&](std::int64_t c, const float* cubics) __attribute__((always_inline)) {
          const Vector by_scalar = value_of(cubics, to_scalar, place), by_edge = value_of(cubics, to_edge, place);
          const Vector by_vector = HasVectors ? value_of(cubics, to_vector, place) : Vector{};
          const auto pass = [&](std::int64_t to, std::int64_t from, const Three& along) __attribute__((always_inline)) {
            const auto sent = Sent<IsPainn>::load(messages.sent.data + from * messages.sent.pitch + c, channels);
            float* const s = messages.s_sum.data + to * messages.s_sum.pitch + c;
            float* const v = messages.v_sum + to * 3 * channels + c;
            store(s, fma(by_scalar, sent.by_scalar, load(s)));
            Three sum = fma3(sent.to_edge(by_edge), along, load3(v, channels));
            if constexpr (HasVectors)
              sum = fma3(sent.to_vector(by_vector), load3(messages.v + from * 3 * channels + c, channels), sum);
            store3(v, channels, sum);
          };
          pass(pair->first, pair->second, unit);
          pass(pair->second, pair->first, back);
        });
  }
}

template <bool IsPainn>
void pass_messages(const Messages& messages) {
  messages.v == nullptr ? pass_pairs<IsPainn, false>(messages) : pass_pairs<IsPainn, true>(messages);
}

/// Half of the lanes of a and half of b in turns of `Run` lanes, from the first run of each two on, or the second.
template <int Run, int Which>
__attribute__((always_inline)) inline core::Vector runs_of(core::Vector a, core::Vector b) {
  return [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
    constexpr int half = core::n_lanes / 2;
    return __builtin_shufflevector(a, b,
                                   (I / half * core::n_lanes + I % half / Run * 2 * Run + Which * Run + I % Run)...);
  }
  (std::make_integer_sequence<int, core::n_lanes>());
}

/// Adds the sums of the lanes of four vectors to four numbers.
__attribute__((always_inline)) inline void add_totals(core::Vector a, core::Vector b, core::Vector c, core::Vector d,
                                                      float* to) {
  using namespace core;
  const Vector ab = runs_of<n_lanes / 2, 0>(a, b) + runs_of<n_lanes / 2, 1>(a, b);
  const Vector cd = runs_of<n_lanes / 2, 0>(c, d) + runs_of<n_lanes / 2, 1>(c, d);
  constexpr int quarter = n_lanes / 4;
  Vector all = runs_of<quarter, 0>(ab, cd) + runs_of<quarter, 1>(ab, cd);
  if constexpr (quarter > 2) all += swapped<2>(all);
  if constexpr (quarter > 1) all += swapped<1>(all);
  for (int i = 0; i < 4; ++i) to[i] += all[i * quarter];
}

/// With a and b the pair's atoms and u from a to b, for each channel:
///
///   by the length     ws' (gs_a x_b + gs_b x_a) + we' (p u) + wv' (gv_a v_b z_b + gv_b v_a z_a)
///   by u              we p                                      where p = gv_a y_b - gv_b y_a
template <bool IsPainn, bool HasVectors>
void pass_pairs_backward(const MessagesBackward& backward) {
  using namespace core;
  const Messages& forward = backward.forward;
  const std::int64_t channels = forward.channels;
  for (std::int64_t i = 0; i < forward.n_pairs; ++i) {
    const Pair& pair = forward.pairs[i];
    const std::int64_t a = pair.first, b = pair.second;
    const Vector place = in_all_lanes(pair.place);
    const Three unit = in_all_lanes3(pair.unit);
    Vector by_length{};
    Three by_unit{};
    for_each_channels(
        forward.table + pair.interval * forward.table_pitch,
        channels, [&](std::int64_t c, const float* cubics) __attribute__((always_inline)) {
          const auto sent = [&](std::int64_t atom) __attribute__((always_inline)) {
            return Sent<IsPainn>::load(forward.sent.data + atom * forward.sent.pitch + c, channels);
          };
          const auto vector = [&](const float* rows, std::int64_t atom) __attribute__((always_inline)) {
            return load3(rows + atom * 3 * channels + c, channels);
          };
          const auto g_sent = [&](std::int64_t atom, int filter) __attribute__((always_inline)) {
            return backward.g_sent.data + atom * backward.g_sent.pitch + filter * channels + c;
          };
          const auto sent_a = sent(a), sent_b = sent(b);
          const Vector gs_a = load(backward.gs_sum.data + a * backward.gs_sum.pitch + c);
          const Vector gs_b = load(backward.gs_sum.data + b * backward.gs_sum.pitch + c);
          const Three gv_a = vector(backward.gv_sum, a), gv_b = vector(backward.gv_sum, b);

          const Cubic scalar = cubic_of(cubics, to_scalar, place), edge = cubic_of(cubics, to_edge, place);
          by_length = fma(scalar.slope, fma(gs_a, sent_b.by_scalar, gs_b * sent_a.by_scalar), by_length);
          const Vector y_a = sent_a.to_edge(in_all_lanes(1)), y_b = sent_b.to_edge(in_all_lanes(1));
          const Three pull{gv_a.x * y_b - gv_b.x * y_a, gv_a.y * y_b - gv_b.y * y_a, gv_a.z * y_b - gv_b.z * y_a};
          by_length = fma(edge.slope, dot3(pull, unit), by_length);
          by_unit = fma3(edge.value, pull, by_unit);
          if constexpr (HasVectors) {
            const Cubic vectors = cubic_of(cubics, to_vector, place);
            const Three v_a = vector(forward.v, a), v_b = vector(forward.v, b);
            const Vector to_a = dot3(gv_a, v_b), to_b = dot3(gv_b, v_a);
            by_length = fma(vectors.slope, sent_b.to_vector(to_a) + sent_a.to_vector(to_b), by_length);
            const auto add = [&](float* to, Vector filter, Vector g) __attribute__((always_inline)) {
              store(to, fma(filter, g, load(to)));
            };
            add(g_sent(a, 0), scalar.value, gs_b);
            add(g_sent(b, 0), scalar.value, gs_a);
            if constexpr (IsPainn) {
              add(g_sent(a, 1), -edge.value, dot3(gv_b, unit));
              add(g_sent(b, 1), edge.value, dot3(gv_a, unit));
              add(g_sent(a, 2), vectors.value, to_b);
              add(g_sent(b, 2), vectors.value, to_a);
            }
            const auto add3 = [&](std::int64_t atom, Vector filter, const Three& g) __attribute__((always_inline)) {
              float* const to = backward.gv + atom * 3 * channels + c;
              store3(to, channels, fma3(filter, g, load3(to, channels)));
            };
            add3(a, sent_a.to_vector(vectors.value), gv_b);
            add3(b, sent_b.to_vector(vectors.value), gv_a);
          }
        });
    add_totals(by_length, by_unit.x, by_unit.y, by_unit.z, backward.by_pair + 4 * i);
  }
}

template <bool IsPainn>
void pass_messages_backward(const MessagesBackward& backward) {
  backward.forward.v == nullptr ? pass_pairs_backward<IsPainn, false>(backward)
                                : pass_pairs_backward<IsPainn, true>(backward);
}

}  // namespace

}  // namespace rafter::forcefield_ladder::cpu
