// Messages between atoms and their gradients, pair by pair: filters are computed once for both directions of an edge.
// A part of forcefield_simd.cpp: each instruction-set level has its own copy.
//
// All pairs are processed for one block of channels before the next, so that a block of the atoms and of the table
// stays in the L1. Arguments are passed by value: after stores to rows of floats the compiler would have to load them
// again. An atom and its periodic image have the same row, so the sum of one atom is stored before the other's is
// loaded.
#pragma once

#include "forcefield/cpu/forcefield_three.hpp"
#include "forcefield/forcefield_simd.hpp"

namespace rafter::forcefield_ladder::cpu {

namespace {

enum Filter { to_scalar, to_edge, to_vector };

/// A vector of channels of a filter, and of its derivative with respect to the position in the interval.
struct FilterDual {
  core::Vector value, slope;
};

__attribute__((always_inline)) inline core::Vector coefficients(const float* polynomials, Filter filter, int power) {
  return core::load(polynomials + (filter * n_powers + power) * block_channels);
}

__attribute__((always_inline)) inline core::Vector value_of(const float* polynomials, Filter filter,
                                                            core::Vector place) {
  core::Vector value = coefficients(polynomials, filter, n_powers - 1);
  RAFTER_UNROLL
  for (int power = n_powers - 2; power >= 0; --power)
    value = core::fma(value, place, coefficients(polynomials, filter, power));
  return value;
}

__attribute__((always_inline)) inline FilterDual dual_of(const float* polynomials, Filter filter, core::Vector place) {
  FilterDual dual{coefficients(polynomials, filter, n_powers - 1), {}};
  dual.slope = dual.value;
  RAFTER_UNROLL
  for (int power = n_powers - 2; power > 0; --power) {
    dual.value = core::fma(dual.value, place, coefficients(polynomials, filter, power));
    dual.slope = core::fma(dual.slope, place, dual.value);
  }
  dual.value = core::fma(dual.value, place, coefficients(polynomials, filter, 0));
  return dual;
}

__attribute__((always_inline)) inline void prefetch_block(const float* polynomials) {
  constexpr int line = 16;  // floats
  RAFTER_UNROLL
  for (int i = 0; i < block_floats; i += line) __builtin_prefetch(polynomials + i);
}

/// Calls f(pair, its index, first channel, its polynomials) for each vector of channels.
template <class F>
__attribute__((always_inline)) inline void for_each_pair(const Messages messages, const F& f) {
  const float* table = messages.table;
  for (std::int64_t c = 0; c < messages.channels; c += block_channels) {
    for (std::int64_t i = 0; i < messages.n_pairs; ++i) {
      const Pair pair = messages.pairs[i];
      if (i + 1 < messages.n_pairs && messages.pairs[i + 1].interval != pair.interval)
        prefetch_block(table + messages.pairs[i + 1].interval * block_floats);
      RAFTER_UNROLL
      for (int lane = 0; lane < block_channels; lane += core::n_lanes)
        f(pair, i, c + lane, table + pair.interval * block_floats + lane);
    }
    table += messages.n_intervals * block_floats;
  }
}

/// The factors of an atom's three filters; in the student all but the first are 1.
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
void pass_pairs(const Messages messages) {
  using namespace core;
  const std::int64_t pitch = messages.pitch;
  for_each_pair(
      messages, [&](const Pair& pair, std::int64_t, std::int64_t c,
                    const float* polynomials) __attribute__((always_inline)) {
        const Vector place = in_all_lanes(pair.place);
        const Vector by_scalar = value_of(polynomials, to_scalar, place),
                     by_edge = value_of(polynomials, to_edge, place);
        const Vector by_vector = HasVectors ? value_of(polynomials, to_vector, place) : Vector{};
        const auto pass = [&](std::int64_t to, std::int64_t from, const Three& unit) __attribute__((always_inline)) {
          const auto sent = Sent<IsPainn>::load(messages.sent.data + from * messages.sent.pitch + c, messages.channels);
          float* const s = messages.s_sum.data + to * messages.s_sum.pitch + c;
          float* const v = messages.v_sum + to * 3 * pitch + c;
          store(s, fma(by_scalar, sent.by_scalar, load(s)));
          Three sum = fma3(sent.to_edge(by_edge), unit, load3(v, pitch));
          if constexpr (HasVectors)
            sum = fma3(sent.to_vector(by_vector), load3(messages.v + from * 3 * pitch + c, pitch), sum);
          store3(v, pitch, sum);
        };
        const Three unit = in_all_lanes3(pair.unit);
        pass(pair.first, pair.second, unit);
        pass(pair.second, pair.first, {-unit.x, -unit.y, -unit.z});
      });
}

template <bool IsPainn>
void pass_messages(const Messages& messages) {
  messages.v == nullptr ? pass_pairs<IsPainn, false>(messages) : pass_pairs<IsPainn, true>(messages);
}

/// Interleaves runs of `Run` lanes of a and b: the first of each two runs, or the second.
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
  typedef float Four __attribute__((vector_size(16)));  // NOLINT: as core::Vector
  Four sums;
  __builtin_memcpy(&sums, to, sizeof sums);
  sums += __builtin_shufflevector(all, all, 0, quarter, 2 * quarter, 3 * quarter);
  __builtin_memcpy(to, &sums, sizeof sums);
}

/// Adds the gradients of a pair. With a and b its atoms and u from a to b, for each channel:
///
///   d / d length      ws' (gs_a x_b + gs_b x_a) + we' (p u) + wv' (gv_a v_b z_b + gv_b v_a z_a)
///   d / d u           we p                                      where p = gv_a y_b - gv_b y_a
template <bool IsPainn, bool HasVectors>
void pass_pairs_backward(const MessagesBackward backward) {
  using namespace core;
  const Messages forward = backward.forward;
  for_each_pair(
      forward, [&](const Pair& pair, std::int64_t i, std::int64_t c,
                   const float* polynomials) __attribute__((always_inline)) {
        const auto sent = [&](std::int64_t atom) __attribute__((always_inline)) {
          return Sent<IsPainn>::load(forward.sent.data + atom * forward.sent.pitch + c, forward.channels);
        };
        const auto vector = [&](const float* rows, std::int64_t atom) __attribute__((always_inline)) {
          return load3(rows + atom * 3 * forward.pitch + c, forward.pitch);
        };
        const std::int64_t a = pair.first, b = pair.second;
        const Vector place = in_all_lanes(pair.place);
        const Three unit = in_all_lanes3(pair.unit);
        const auto sent_a = sent(a), sent_b = sent(b);
        const Vector gs_a = load(backward.gs_sum.data + a * backward.gs_sum.pitch + c);
        const Vector gs_b = load(backward.gs_sum.data + b * backward.gs_sum.pitch + c);
        const Three gv_a = vector(backward.gv_sum, a), gv_b = vector(backward.gv_sum, b);

        const FilterDual scalar = dual_of(polynomials, to_scalar, place), edge = dual_of(polynomials, to_edge, place);
        const Vector y_a = sent_a.to_edge(in_all_lanes(1)), y_b = sent_b.to_edge(in_all_lanes(1));
        const Three pull{gv_a.x * y_b - gv_b.x * y_a, gv_a.y * y_b - gv_b.y * y_a, gv_a.z * y_b - gv_b.z * y_a};
        Vector by_length = scalar.slope * fma(gs_a, sent_b.by_scalar, gs_b * sent_a.by_scalar);
        by_length = fma(edge.slope, dot3(pull, unit), by_length);
        if constexpr (HasVectors) {
          const FilterDual vectors = dual_of(polynomials, to_vector, place);
          const Vector to_a = dot3(gv_a, vector(forward.v, b)), to_b = dot3(gv_b, vector(forward.v, a));
          by_length = fma(vectors.slope, sent_b.to_vector(to_a) + sent_a.to_vector(to_b), by_length);
          const auto add = [&](std::int64_t atom, int part, Vector filter, Vector g) __attribute__((always_inline)) {
            float* const to = backward.g_sent.data + atom * backward.g_sent.pitch + part * forward.channels + c;
            store(to, fma(filter, g, load(to)));
          };
          add(a, 0, scalar.value, gs_b);
          add(b, 0, scalar.value, gs_a);
          if constexpr (IsPainn) {
            add(a, 1, -edge.value, dot3(gv_b, unit));
            add(b, 1, edge.value, dot3(gv_a, unit));
            add(a, 2, vectors.value, to_b);
            add(b, 2, vectors.value, to_a);
          }
          const auto add3 = [&](std::int64_t atom, Vector filter, const Three& g) __attribute__((always_inline)) {
            float* const to = backward.gv + atom * 3 * forward.pitch + c;
            store3(to, forward.pitch, fma3(filter, g, load3(to, forward.pitch)));
          };
          add3(a, sent_a.to_vector(vectors.value), gv_b);
          add3(b, sent_b.to_vector(vectors.value), gv_a);
        }
        add_totals(by_length, edge.value * pull.x, edge.value * pull.y, edge.value * pull.z, backward.by_pair + 4 * i);
      });
}

template <bool IsPainn>
void pass_messages_backward(const MessagesBackward& backward) {
  backward.forward.v == nullptr ? pass_pairs_backward<IsPainn, false>(backward)
                                : pass_pairs_backward<IsPainn, true>(backward);
}

}  // namespace

}  // namespace rafter::forcefield_ladder::cpu
