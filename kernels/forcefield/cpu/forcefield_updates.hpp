// The channel-wise operations of updates, forward and backward; GroupPass computes the products between them. A part of
// forcefield_simd.cpp: each instruction-set level has its own copy.
//
//   student   s = s_sum + a                        v = g1 v_sum + g2 M v_sum
//   painn     s = s_sum + a + c (left right)       v = v_sum + b right          left, right: v_sum mixed over channels
#pragma once

#include "forcefield/cpu/forcefield_three.hpp"
#include "forcefield/forcefield_simd.hpp"

namespace rafter::forcefield_ladder::cpu {

namespace {

constexpr float painn_norm_epsilon = 1e-8F;

/// Calls f(atom, channel) for each vector of channels.
template <class F>
__attribute__((always_inline)) inline void for_each(const Update& of, const F& f) {
  for (std::int64_t atom = 0; atom < of.n_atoms; ++atom) {
    for (std::int64_t c = 0; c < of.channels; c += core::n_lanes) f(atom, c);
  }
}

__attribute__((always_inline)) inline core::Vector gate(const Update& of, std::int64_t atom, int which,
                                                        std::int64_t c) {
  return core::load(of.gates + atom * 3 * of.pitch + which * of.channels + c);
}
__attribute__((always_inline)) inline void put_g_gate(const Update& of, std::int64_t atom, int which, std::int64_t c,
                                                      core::Vector g) {
  core::store(of.g_gates + atom * 3 * of.pitch + which * of.channels + c, g);
}
__attribute__((always_inline)) inline core::Vector scalar_at(const Update& of, const float* rows, std::int64_t atom,
                                                             std::int64_t c) {
  return core::load(rows + atom * of.pitch + c);
}
__attribute__((always_inline)) inline Three vector_at(const Update& of, const float* rows, std::int64_t atom,
                                                      std::int64_t c) {
  return load3(rows + atom * 3 * of.pitch + c, of.pitch);
}

/// Computes gs_sum and the derivative with respect to the length.
__attribute__((always_inline)) inline core::Vector lengths_backward(const Update& of, std::int64_t atom,
                                                                    std::int64_t c) {
  using namespace core;
  const float* g_in = of.g_in + atom * 2 * of.pitch + c;
  store(of.gs_sum + atom * of.pitch + c, scalar_at(of, of.gs, atom, c) + load(g_in));
  return load(g_in + of.channels);
}

struct Student {
  /// Computes M v or v M.
  struct Mixing {
    explicit Mixing(const float* m) {
      for (int i = 0; i < 9; ++i) rows[i] = core::in_all_lanes(m == nullptr ? 0 : m[i]);
    }
    __attribute__((always_inline)) Three times(const Three& v) const {
      return {dot3({rows[0], rows[1], rows[2]}, v), dot3({rows[3], rows[4], rows[5]}, v),
              dot3({rows[6], rows[7], rows[8]}, v)};
    }
    __attribute__((always_inline)) Three transposed_times(const Three& v) const {
      return {dot3({rows[0], rows[3], rows[6]}, v), dot3({rows[1], rows[4], rows[7]}, v),
              dot3({rows[2], rows[5], rows[8]}, v)};
    }
    core::Vector rows[9];
  };

  static void update(const Update& of) {
    using namespace core;
    const Mixing mixing(of.mixing);
    for_each(
        of, [&](std::int64_t atom, std::int64_t c) __attribute__((always_inline)) {
          store(of.s + atom * of.pitch + c, load(of.in + atom * 2 * of.pitch + c) + gate(of, atom, 0, c));
          if (!of.has_vectors) return;
          const Three v = vector_at(of, of.v_sum, atom, c);
          const Vector straight = gate(of, atom, 1, c), turned = gate(of, atom, 2, c);
          const Three sum = fma3(turned, mixing.times(v), {straight * v.x, straight * v.y, straight * v.z});
          store3(of.v + atom * 3 * of.pitch + c, of.pitch, sum);
        });
  }

  static void gates_backward(const Update& of) {
    const Mixing mixing(of.mixing);
    for_each(
        of, [&](std::int64_t atom, std::int64_t c) __attribute__((always_inline)) {
          put_g_gate(of, atom, 0, c, scalar_at(of, of.gs, atom, c));
          if (!of.has_vectors) return;
          const Three g = vector_at(of, of.gv, atom, c), v = vector_at(of, of.v_sum, atom, c);
          put_g_gate(of, atom, 1, c, dot3(g, v));
          put_g_gate(of, atom, 2, c, dot3(g, mixing.times(v)));
        });
  }

  static void vectors_backward(const Update& of) {
    using namespace core;
    const Mixing mixing(of.mixing);
    for_each(
        of, [&](std::int64_t atom, std::int64_t c) __attribute__((always_inline)) {
          const Three v = vector_at(of, of.v_sum, atom, c);
          const Vector square = dot3(v, v), by_length = lengths_backward(of, atom, c);
          const Vector share = square > Vector{} ? by_length / sqrt(square) : Vector{};  // 0 at 0, as in PyTorch
          Three sum{share * v.x, share * v.y, share * v.z};
          if (of.has_vectors) {
            const Three g = vector_at(of, of.gv, atom, c);
            const Vector turned = gate(of, atom, 2, c);
            sum = fma3(gate(of, atom, 1, c), g, sum);
            sum = fma3(turned, mixing.transposed_times(g), sum);
          }
          store3(of.gv_sum + atom * 3 * of.pitch + c, of.pitch, sum);
        });
  }
};

struct Painn {
  struct Mixed {
    Three left, right;
  };
  __attribute__((always_inline)) static Mixed mixed_at(const Update& of, std::int64_t atom, std::int64_t c) {
    const float* left = of.mixed + atom * 6 * of.pitch + c;
    return {load3(left, 2 * of.pitch), load3(left + of.channels, 2 * of.pitch)};
  }

  static void update(const Update& of) {
    using namespace core;
    for_each(
        of, [&](std::int64_t atom, std::int64_t c) __attribute__((always_inline)) {
          const auto [left, right] = mixed_at(of, atom, c);
          const Vector s = load(of.in + atom * 2 * of.pitch + c) + gate(of, atom, 0, c);
          store(of.s + atom * of.pitch + c, fma(gate(of, atom, 2, c), dot3(left, right), s));
          if (!of.has_vectors) return;
          store3(of.v + atom * 3 * of.pitch + c, of.pitch,
                 fma3(gate(of, atom, 1, c), right, vector_at(of, of.v_sum, atom, c)));
        });
  }

  static void gates_backward(const Update& of) {
    using namespace core;
    for_each(
        of, [&](std::int64_t atom, std::int64_t c) __attribute__((always_inline)) {
          const auto [left, right] = mixed_at(of, atom, c);
          const Vector gs = scalar_at(of, of.gs, atom, c);
          put_g_gate(of, atom, 0, c, gs);
          put_g_gate(of, atom, 1, c, of.has_vectors ? dot3(vector_at(of, of.gv, atom, c), right) : Vector{});
          put_g_gate(of, atom, 2, c, gs * dot3(left, right));
        });
  }

  static void vectors_backward(const Update& of) {
    using namespace core;
    for_each(
        of, [&](std::int64_t atom, std::int64_t c) __attribute__((always_inline)) {
          const auto [left, right] = mixed_at(of, atom, c);
          const Vector length = sqrt(dot3(left, left) + in_all_lanes(painn_norm_epsilon));
          const Vector share = lengths_backward(of, atom, c) / length;
          const Vector by_product = scalar_at(of, of.gs, atom, c) * gate(of, atom, 2, c);
          const Three by_left = fma3(by_product, right, {share * left.x, share * left.y, share * left.z});
          Three by_right{by_product * left.x, by_product * left.y, by_product * left.z};
          if (of.has_vectors) by_right = fma3(gate(of, atom, 1, c), vector_at(of, of.gv, atom, c), by_right);
          float* const to = of.gv_sum + atom * 6 * of.pitch + c;
          store3(to, 2 * of.pitch, by_left);
          store3(to + of.channels, 2 * of.pitch, by_right);
        });
  }
};

void lengths(Rows<const float> v, std::int64_t n_rows, std::int64_t n, float epsilon, Rows<float> out) {
  using namespace core;
  for (std::int64_t row = 0; row < n_rows; ++row) {
    for (std::int64_t c = 0; c < n; c += n_lanes) {
      const Three vector = load3(v.data + row * 3 * v.pitch + c, v.pitch);
      store(out.data + row * out.pitch + c, sqrt(dot3(vector, vector) + in_all_lanes(epsilon)));
    }
  }
}

void scale(Rows<float> values, Rows<const float> by, std::int64_t n_rows, std::int64_t n) {
  for (std::int64_t row = 0; row < n_rows; ++row) {
    for (std::int64_t i = 0; i < n; ++i) values.data[row * values.pitch + i] *= by.data[row * by.pitch + i];
  }
}

void add(Rows<float> values, Rows<const float> by, std::int64_t n_rows, std::int64_t n) {
  for (std::int64_t row = 0; row < n_rows; ++row) {
    for (std::int64_t i = 0; i < n; ++i) values.data[row * values.pitch + i] += by.data[row * by.pitch + i];
  }
}

float dot(const float* a, const float* b, std::int64_t n) {
  using namespace core;
  Vector sum{};
  for (std::int64_t i = 0; i < n; i += n_lanes) sum = fma(load(a + i), load(b + i), sum);
  return total(sum)[0];
}

}  // namespace

}  // namespace rafter::forcefield_ladder::cpu
