// cuRAND's distributions in kernels. Uniform numbers are NVIDIA's to the bit; the others use the host's logarithm, sine
// and cosine.
#pragma once

#include <math.h>

#include "rafter_simt/rand/states.hpp"

#define CURAND_KERNEL_H_

namespace rafter_simt::rand {

inline float uniform(unsigned bits) { return static_cast<float>(bits) * 0x1p-32f + 0x1p-33f; }
/// A number with 53 random bits, from two words.
inline double uniform_double(unsigned low, unsigned high) {
  const unsigned long long bits = low ^ static_cast<unsigned long long>(high) << 21;
  return static_cast<double>(bits) * 0x1p-53 + 0x1p-54;
}

constexpr double mrg_scale = 2.3283065498378288e-10;
inline double mrg_uniform(unsigned number) { return number * mrg_scale; }

/// A pair of normally distributed numbers, by Box and Muller's method.
inline float2 normal_pair(unsigned x, unsigned y) {
  constexpr float turn = 0x1p-32f * 6.2831855f;
  const float angle = fmaf(static_cast<float>(y), turn, turn / 2), size = sqrtf(-2 * logf(uniform(x)));
  return {sinf(angle) * size, cosf(angle) * size};
}
inline double2 normal_pair_of(double u, double half_turns) {
  constexpr double pi = 3.1415926535897932;
  const double size = sqrt(-2 * log(u));
  return {sin(half_turns * pi) * size, cos(half_turns * pi) * size};
}
inline double2 normal_pair_double(unsigned x0, unsigned x1, unsigned y0, unsigned y1) {
  return normal_pair_of(uniform_double(x0, x1), 2 * uniform_double(y0, y1));
}
inline float2 mrg_normal_pair(unsigned first, unsigned second) {
  const float u = static_cast<float>(mrg_uniform(first)), angle = static_cast<float>(mrg_uniform(second)) * 6.2831855f;
  const float size = sqrtf(-2 * logf(u));
  return {sinf(angle) * size, cosf(angle) * size};
}
inline double2 mrg_normal_pair_double(unsigned first, unsigned second) {
  return normal_pair_of(mrg_uniform(first), 2 * mrg_uniform(second));
}

// A pair of each generator.
inline float2 pair(curandStateXORWOW_t* state) {
  const unsigned x = curand(state), y = curand(state);
  return normal_pair(x, y);
}
inline float2 pair(curandStatePhilox4_32_10_t* state) {
  const unsigned x = curand(state), y = curand(state);
  return normal_pair(x, y);
}
inline float2 pair(curandStateMRG32k3a_t* state) {
  const unsigned x = next_mrg32k3a(state->s1, state->s2), y = next_mrg32k3a(state->s1, state->s2);
  return mrg_normal_pair(x, y);
}
inline double2 pair_double(curandStateXORWOW_t* state) {
  const unsigned x0 = curand(state), x1 = curand(state), y0 = curand(state), y1 = curand(state);
  return normal_pair_double(x0, x1, y0, y1);
}
inline double2 pair_double(curandStatePhilox4_32_10_t* state) {
  const uint4 words = curand4(state);
  return normal_pair_double(words.x, words.y, words.z, words.w);
}
inline double2 pair_double(curandStateMRG32k3a_t* state) {
  const unsigned x = next_mrg32k3a(state->s1, state->s2), y = next_mrg32k3a(state->s1, state->s2);
  return mrg_normal_pair_double(x, y);
}

// A state keeps the second number of a pair for the next call of the same distribution.
constexpr int normal_kept = 1, log_normal_kept = 2;

template <class State, class Map>
float one_of_pair(State* state, int kept, Map&& map) {
  if (state->boxmuller_flag == kept) {
    state->boxmuller_flag = 0;
    return state->boxmuller_extra;
  }
  const float2 both = pair(state);
  state->boxmuller_extra = map(both.y);
  state->boxmuller_flag = kept;
  return map(both.x);
}
template <class State, class Map>
double one_of_pair_double(State* state, int kept, Map&& map) {
  if (state->boxmuller_flag_double == kept) {
    state->boxmuller_flag_double = 0;
    return state->boxmuller_extra_double;
  }
  const double2 both = pair_double(state);
  state->boxmuller_extra_double = map(both.y);
  state->boxmuller_flag_double = kept;
  return map(both.x);
}

}  // namespace rafter_simt::rand

inline float curand_uniform(curandStateXORWOW_t* state) { return rafter_simt::rand::uniform(curand(state)); }
inline float curand_uniform(curandStatePhilox4_32_10_t* state) { return rafter_simt::rand::uniform(curand(state)); }
inline float curand_uniform(curandStateMRG32k3a_t* state) {
  return static_cast<float>(rafter_simt::rand::mrg_uniform(rafter_simt::rand::next_mrg32k3a(state->s1, state->s2)));
}
inline double curand_uniform_double(curandStateXORWOW_t* state) {
  const unsigned low = curand(state), high = curand(state);
  return rafter_simt::rand::uniform_double(low, high);
}
inline double curand_uniform_double(curandStatePhilox4_32_10_t* state) {
  return curand(state) * 0x1p-32 + 0x1p-32;  // from one word, as NVIDIA's
}
inline double curand_uniform_double(curandStateMRG32k3a_t* state) {
  return rafter_simt::rand::mrg_uniform(rafter_simt::rand::next_mrg32k3a(state->s1, state->s2));
}
inline float4 curand_uniform4(curandStatePhilox4_32_10_t* state) {
  const uint4 words = curand4(state);
  return {rafter_simt::rand::uniform(words.x), rafter_simt::rand::uniform(words.y), rafter_simt::rand::uniform(words.z),
          rafter_simt::rand::uniform(words.w)};
}
inline double2 curand_uniform2_double(curandStatePhilox4_32_10_t* state) {
  const uint4 words = curand4(state);
  return {rafter_simt::rand::uniform_double(words.x, words.y), rafter_simt::rand::uniform_double(words.z, words.w)};
}
inline float4 curand_normal4(curandStatePhilox4_32_10_t* state) {
  const uint4 words = curand4(state);
  const float2 first = rafter_simt::rand::normal_pair(words.x, words.y);
  const float2 second = rafter_simt::rand::normal_pair(words.z, words.w);
  return {first.x, first.y, second.x, second.y};
}
inline float4 curand_log_normal4(curandStatePhilox4_32_10_t* state, float mean, float stddev) {
  const float4 all = curand_normal4(state);
  return {expf(mean + stddev * all.x), expf(mean + stddev * all.y), expf(mean + stddev * all.z),
          expf(mean + stddev * all.w)};
}

#define RAFTER_SIMT_RAND_NORMALS(STATE)                                                                              \
  inline float curand_normal(STATE* state) {                                                                         \
    return rafter_simt::rand::one_of_pair(state, rafter_simt::rand::normal_kept, [](float x) { return x; });         \
  }                                                                                                                  \
  inline double curand_normal_double(STATE* state) {                                                                 \
    return rafter_simt::rand::one_of_pair_double(state, rafter_simt::rand::normal_kept, [](double x) { return x; }); \
  }                                                                                                                  \
  inline float2 curand_normal2(STATE* state) { return rafter_simt::rand::pair(state); }                              \
  inline double2 curand_normal2_double(STATE* state) { return rafter_simt::rand::pair_double(state); }               \
  inline float curand_log_normal(STATE* state, float mean, float stddev) {                                           \
    return rafter_simt::rand::one_of_pair(state, rafter_simt::rand::log_normal_kept,                                 \
                                          [=](float x) { return expf(mean + stddev * x); });                         \
  }                                                                                                                  \
  inline double curand_log_normal_double(STATE* state, double mean, double stddev) {                                 \
    return rafter_simt::rand::one_of_pair_double(state, rafter_simt::rand::log_normal_kept,                          \
                                                 [=](double x) { return exp(mean + stddev * x); });                  \
  }                                                                                                                  \
  inline float2 curand_log_normal2(STATE* state, float mean, float stddev) {                                         \
    const float2 both = rafter_simt::rand::pair(state);                                                              \
    return {expf(mean + stddev * both.x), expf(mean + stddev * both.y)};                                             \
  }                                                                                                                  \
  inline double2 curand_log_normal2_double(STATE* state, double mean, double stddev) {                               \
    const double2 both = rafter_simt::rand::pair_double(state);                                                      \
    return {exp(mean + stddev * both.x), exp(mean + stddev * both.y)};                                               \
  }
RAFTER_SIMT_RAND_NORMALS(curandStateXORWOW_t)
RAFTER_SIMT_RAND_NORMALS(curandStatePhilox4_32_10_t)
RAFTER_SIMT_RAND_NORMALS(curandStateMRG32k3a_t)
#undef RAFTER_SIMT_RAND_NORMALS
