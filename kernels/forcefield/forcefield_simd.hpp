// The loops under the CPU's force fields, compiled per instruction-set level. Rows of atoms are whole panels of
// channels; those that only fill a panel are zero.
#pragma once

#include <cstdint>

#include "core/isa.hpp"
#include "core/panels.hpp"

namespace rafter::forcefield_ladder::cpu {

using core::in_panels, core::Panels, core::Rows;

/// Channels whose cubics lie together: a layer's filters at a distance are [channels / this][filter][power][this], and
/// the filters those of scalars, of vectors along the edge and of the neighbour's vectors, in this order.
inline constexpr std::int64_t block_channels = 16;
inline constexpr std::int64_t block_floats = 3 * 4 * block_channels;

/// Two atoms within the cutoff of each other, which may be one and an image of it.
struct Pair {
  std::int32_t first, second;  // rows
  float vector[3];             // from the first to the second
  float length;
  float unit[3];  // as the model divides
  float place;    // in the table's interval, 0 to 1
  std::int64_t interval;
};

/// Messages of a layer. Of the student, what an atom sends are its scalars; of PaiNN, a factor for each filter.
struct Messages {
  const Pair* pairs;
  std::int64_t n_pairs;
  const float* table;  // the layer's filters at the first distance
  std::int64_t table_pitch;
  std::int64_t channels;
  Rows<const float> sent;
  const float* v;     // [atoms][3][channels]; null: they are zero
  Rows<float> s_sum;  // has what was before, and gets what neighbours send
  float* v_sum;       // [atoms][3][channels], likewise
};

struct MessagesBackward {
  Messages forward;  // s_sum and v_sum are not used
  Rows<const float> gs_sum;
  const float* gv_sum;
  Rows<float> g_sent;  // has what was before; not used where v is null
  float* gv;           // likewise
  float* by_pair;      // [pairs][4]: gets the derivatives by the length, in intervals, and by the unit vector
};

/// What updates read and write. Pitches are channels, times the numbers in brackets.
struct Update {
  std::int64_t n_atoms, channels;
  bool has_vectors;         // the last layer's feed nothing
  const float* mixing;      // student: [3][3]
  Rows<const float> s_sum;  // forward
  const float* v_sum;       // [atoms][3]
  const float* mixed;       // painn: [atoms][3][2]
  Rows<const float> gates;  // [atoms][3]; of the student's last layer one alone
  float *s, *v;             // forward: [atoms], [atoms][3]

  const float *gs, *gv;    // by s and v
  Rows<float> g_gates;     // as gates
  const float* g_in;       // [atoms][2]: by scalars and lengths
  float *gs_sum, *gv_sum;  // painn: gv_sum is by mixed, [atoms][3][2]
};

/// A model's own.
struct ModelLoops {
  void (*pass_messages)(const Messages&);
  void (*pass_messages_backward)(const MessagesBackward&);
  void (*update)(const Update&);
  void (*gates_backward)(const Update&);    // g_gates
  void (*vectors_backward)(const Update&);  // gs_sum and gv_sum
};

struct ForceFieldLoops {
  ModelLoops student, painn;
  /// out = bias + in . matrix, in whole panels. What becomes of a row does not depend on the rows beside it.
  void (*multiply)(Rows<const float> in, std::int64_t n_rows, const Panels& by, Rows<float> out);
  /// values[i] becomes SiLU of itself, and slopes[i] its derivative; n is a multiple of block_channels.
  void (*silu)(float* values, float* slopes, std::int64_t n);
  /// values[i] times, or plus, by[i]; n is a multiple of block_channels.
  void (*scale)(float* values, const float* by, std::int64_t n);
  void (*add)(float* values, const float* by, std::int64_t n);
  /// Lengths of vectors [rows][3][v.pitch] with channels numbers each: sqrt(v v + epsilon).
  void (*lengths)(Rows<const float> v, std::int64_t n_rows, std::int64_t channels, float epsilon, Rows<float> out);
  /// The sum of a[i] b[i]; n is a multiple of block_channels.
  float (*dot)(const float* a, const float* b, std::int64_t n);
};

RAFTER_DECLARE_ISA_TABLE(ForceFieldLoops, forcefield_loops)

}  // namespace rafter::forcefield_ladder::cpu
