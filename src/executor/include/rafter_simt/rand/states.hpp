// The states of cuRAND's generators XORWOW, Philox4_32_10 and MRG32k3a in kernels, and their bits: NVIDIA's to the bit.
#pragma once

#include "rafter_simt/numbers/vector_types.hpp"

struct curandStateXORWOW {
  unsigned d, v[5];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned STATE;  // the word of `output` that is returned next
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

struct curandStateMRG32k3a {
  unsigned s1[3], s2[3];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

extern "C" {

/// Advances the five words of an XORWOW state by n elements, or by n subsequences of 2^67 elements.
void rafter_simt_xorwow_skip(unsigned* words, unsigned long long n, unsigned subsequences);
/// Advances the six words of an MRG32k3a state by n times 2^log_elements elements: 0, 76 or 127.
void rafter_simt_mrg32k3a_skip(unsigned* words, unsigned long long n, unsigned log_elements);

}  // extern "C"

namespace rafter_simt::rand {

template <class State>
void forget_pairs(State* state) {
  state->boxmuller_flag = state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
}

/// Sets an XORWOW state to the beginning of the sequence of a seed.
inline void seed_xorwow(unsigned long long seed, unsigned* d, unsigned* v) {
  const unsigned low = (static_cast<unsigned>(seed) ^ 0xaad26b49u) * 1099087573u;
  const unsigned high = (static_cast<unsigned>(seed >> 32) ^ 0xf7dcefddu) * 2591861531u;
  *d = 6615241u + high + low;
  v[0] = 123456789u + low;
  v[1] = 362436069u ^ low;
  v[2] = 521288629u + high;
  v[3] = 88675123u ^ high;
  v[4] = 5783321u + low;
}

constexpr unsigned xorwow_step = 362437;

inline unsigned next_xorwow(unsigned* d, unsigned* v) {
  const unsigned t = v[0] ^ (v[0] >> 2);
  const unsigned last = v[4];
  for (int i = 0; i < 4; ++i) v[i] = v[i + 1];
  v[4] = last ^ (last << 4) ^ t ^ (t << 1);
  *d += xorwow_step;
  return v[4] + *d;
}

/// Returns the four words of a block of Philox4x32 with ten rounds.
inline uint4 philox_block(uint4 counter, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    const unsigned long long first = 0xD2511F53ull * counter.x, second = 0xCD9E8D57ull * counter.z;
    counter = {static_cast<unsigned>(second >> 32) ^ counter.y ^ key.x, static_cast<unsigned>(second),
               static_cast<unsigned>(first >> 32) ^ counter.w ^ key.y, static_cast<unsigned>(first)};
    key.x += 0x9E3779B9u;
    key.y += 0xBB67AE85u;
  }
  return counter;
}

/// Adds to the low half (blocks) or to the high half (subsequences) of a Philox counter. A carry leaves the low half.
inline void add_blocks(uint4* counter, unsigned long long n) {
  const unsigned long long low = counter->x | static_cast<unsigned long long>(counter->y) << 32, sum = low + n;
  counter->x = static_cast<unsigned>(sum);
  counter->y = static_cast<unsigned>(sum >> 32);
  if (sum < low && ++counter->z == 0) ++counter->w;
}
inline void add_subsequences(uint4* counter, unsigned long long n) {
  const unsigned long long sum = (counter->z | static_cast<unsigned long long>(counter->w) << 32) + n;
  counter->z = static_cast<unsigned>(sum);
  counter->w = static_cast<unsigned>(sum >> 32);
}

constexpr unsigned long long mrg_modulus1 = 4294967087u, mrg_modulus2 = 4294944443u;

/// Sets the six words of an MRG32k3a state to the beginning of the sequence of a seed.
inline void seed_mrg32k3a(unsigned long long seed, unsigned* s1, unsigned* s2) {
  const unsigned long long low = static_cast<unsigned>(seed) ^ 0x55555555u;
  const unsigned long long high = static_cast<unsigned>(seed >> 32) ^ 0xAAAAAAAAu;
  for (int i = 0; i < 3; ++i) {
    const unsigned long long factor1 = seed == 0 ? 1
                                       : i == 1  ? high
                                                 : low,
                             factor2 = seed == 0 ? 1
                                       : i == 1  ? low
                                                 : high;
    s1[i] = static_cast<unsigned>(factor1 * 12345 % mrg_modulus1);
    s2[i] = static_cast<unsigned>(factor2 * 12345 % mrg_modulus2);
  }
}

/// Returns the next number, from 1 to the first modulus.
inline unsigned next_mrg32k3a(unsigned* s1, unsigned* s2) {
  const unsigned long long p1 = (1403580ull * s1[1] + 810728ull * (mrg_modulus1 - s1[0])) % mrg_modulus1;
  const unsigned long long p2 = (527612ull * s2[2] + 1370589ull * (mrg_modulus2 - s2[0])) % mrg_modulus2;
  s1[0] = s1[1];
  s1[1] = s1[2];
  s1[2] = static_cast<unsigned>(p1);
  s2[0] = s2[1];
  s2[1] = s2[2];
  s2[2] = static_cast<unsigned>(p2);
  return static_cast<unsigned>(p1 > p2 ? p1 - p2 : p1 - p2 + mrg_modulus1);
}

/// Scales a number of MRG32k3a to 32 bits.
inline unsigned mrg_bits(unsigned number) { return static_cast<unsigned>(number * 1.000000048662); }

}  // namespace rafter_simt::rand

inline unsigned curand(curandStateXORWOW_t* state) { return rafter_simt::rand::next_xorwow(&state->d, state->v); }

inline void skipahead(unsigned long long n, curandStateXORWOW_t* state) {
  unsigned words[5] = {state->v[0], state->v[1], state->v[2], state->v[3], state->v[4]};
  rafter_simt_xorwow_skip(words, n, 0);
  for (int i = 0; i < 5; ++i) state->v[i] = words[i];
  state->d += static_cast<unsigned>(n) * rafter_simt::rand::xorwow_step;
}
inline void skipahead_sequence(unsigned long long n, curandStateXORWOW_t* state) {
  unsigned words[5] = {state->v[0], state->v[1], state->v[2], state->v[3], state->v[4]};
  rafter_simt_xorwow_skip(words, n, 1);
  for (int i = 0; i < 5; ++i) state->v[i] = words[i];
}
inline void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                        curandStateXORWOW_t* state) {
  rafter_simt::rand::seed_xorwow(seed, &state->d, state->v);
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
  rafter_simt::rand::forget_pairs(state);
}

inline uint4 curand4(curandStatePhilox4_32_10_t* state) {
  const uint4 old = state->output;
  rafter_simt::rand::add_blocks(&state->ctr, 1);
  state->output = rafter_simt::rand::philox_block(state->ctr, state->key);
  const uint4 now = state->output;
  switch (state->STATE) {
    case 1: return {old.y, old.z, old.w, now.x};
    case 2: return {old.z, old.w, now.x, now.y};
    case 3: return {old.w, now.x, now.y, now.z};
    default: return old;
  }
}
inline unsigned curand(curandStatePhilox4_32_10_t* state) {
  const uint4 words = state->output;
  const unsigned at = state->STATE;
  if (at == 3) {
    rafter_simt::rand::add_blocks(&state->ctr, 1);
    state->output = rafter_simt::rand::philox_block(state->ctr, state->key);
  }
  state->STATE = (at + 1) & 3;
  return at == 0 ? words.x : at == 1 ? words.y : at == 2 ? words.z : words.w;
}
inline void skipahead(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  const unsigned at = state->STATE + (n & 3);
  rafter_simt::rand::add_blocks(&state->ctr, n / 4 + at / 4);
  state->STATE = at & 3;
  state->output = rafter_simt::rand::philox_block(state->ctr, state->key);
}
inline void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  rafter_simt::rand::add_subsequences(&state->ctr, n);
  state->output = rafter_simt::rand::philox_block(state->ctr, state->key);
}
inline void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                        curandStatePhilox4_32_10_t* state) {
  state->ctr = {0, 0, 0, 0};
  state->key = {static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32)};
  state->STATE = 0;
  rafter_simt::rand::forget_pairs(state);
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
}

inline unsigned curand(curandStateMRG32k3a_t* state) {
  return rafter_simt::rand::mrg_bits(rafter_simt::rand::next_mrg32k3a(state->s1, state->s2));
}

namespace rafter_simt::rand {

inline void skip_mrg32k3a(unsigned long long n, unsigned log_elements, curandStateMRG32k3a_t* state) {
  unsigned words[6] = {state->s1[0], state->s1[1], state->s1[2], state->s2[0], state->s2[1], state->s2[2]};
  rafter_simt_mrg32k3a_skip(words, n, log_elements);
  for (int i = 0; i < 3; ++i) {
    state->s1[i] = words[i];
    state->s2[i] = words[3 + i];
  }
}

}  // namespace rafter_simt::rand

inline void skipahead(unsigned long long n, curandStateMRG32k3a_t* state) {
  rafter_simt::rand::skip_mrg32k3a(n, 0, state);
}
inline void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t* state) {
  rafter_simt::rand::skip_mrg32k3a(n & ((1ull << 51) - 1), 76, state);
}
inline void skipahead_sequence(unsigned long long n, curandStateMRG32k3a_t* state) {
  rafter_simt::rand::skip_mrg32k3a(n, 127, state);
}
inline void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                        curandStateMRG32k3a_t* state) {
  rafter_simt::rand::seed_mrg32k3a(seed, state->s1, state->s2);
  skipahead_subsequence(subsequence, state);
  skipahead(offset, state);
  rafter_simt::rand::forget_pairs(state);
}
