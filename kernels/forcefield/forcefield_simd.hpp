// The loops under the CPU's force fields, compiled per instruction-set level. Rows of atoms are whole panels of
// channels; those that only fill a panel are zero.
#pragma once

#include <cstdint>

#include "library/core/cpu/isa.hpp"
#include "library/core/cpu/panels.hpp"

namespace rafter::forcefield_ladder::cpu {

using core::round_up_to_panels, core::Panels, core::Rows;

/// Channels whose polynomials lie together: a layer's filters on an interval are [channels /
/// this][filter][power][this], and the filters those of scalars, of vectors along the edge and of the neighbour's
/// vectors, in this order.
inline constexpr std::int64_t block_channels = 16;
inline constexpr int n_powers = 6;
inline constexpr std::int64_t block_floats = 3 * n_powers * block_channels;

/// Two atoms within the cutoff of each other, which may be one and an image of it.
struct Pair {
  std::int32_t first, second;  // rows
  float vector[3];             // from the first to the second
  float length;
  float unit[3];  // as the model divides
  float place;    // in the table's interval, 0 to 1
  std::int64_t interval;
};

/// Messages of a layer. Of the student, what an atom sends are its scalars; of PaiNN, a factor for each filter. Vectors
/// are [atoms][3][pitch], other rows have a pitch of their own; parts of a row lie `channels` apart.
struct Messages {
  const Pair* pairs;
  std::int64_t n_pairs;
  const float* table;  // the layer's filters: [channels / block_channels][interval][block_floats]
  std::int64_t n_intervals;
  std::int64_t channels, pitch;
  Rows<const float> sent;
  const float* v;     // null: they are zero
  Rows<float> s_sum;  // has what was before, and gets what neighbours send
  float* v_sum;       // likewise
};

struct MessagesBackward {
  Messages forward;  // s_sum and v_sum are not used
  Rows<const float> gs_sum;
  const float* gv_sum;
  Rows<float> g_sent;  // has what was before; not used where v is null
  float* gv;           // likewise
  float* by_pair;      // [pairs][4]: to it, the derivatives by the length, in intervals, and by the unit vector
};

/// An update of atoms. Rows of scalars are [pitch], of vectors [3][pitch], others as many times that as they have
/// parts; parts lie `channels` apart.
struct Update {
  std::int64_t n_atoms, channels, pitch;
  bool has_vectors;     // the last layer's feed nothing
  const float* mixing;  // student: [3][3]
  const float* in;      // 2 parts: s_sum, and lengths
  const float* v_sum;
  const float* mixed;  // painn: [3] rows of 2 parts
  const float* gates;  // 3 parts; of the student's last layer only one is used
  float *s, *v;

  const float *gs, *gv;    // by s and v
  float* g_gates;          // 3 parts
  const float* g_in;       // 2 parts
  float *gs_sum, *gv_sum;  // painn: gv_sum is by mixed
};

/// A model's own.
struct ModelLoops {
  void (*pass_messages)(const Messages&);
  void (*pass_messages_backward)(const MessagesBackward&);
  void (*update)(const Update&);
  void (*gates_backward)(const Update&);    // g_gates
  void (*vectors_backward)(const Update&);  // gs_sum and gv_sum
};

/// n is a multiple of block_channels.
struct ForceFieldLoops {
  ModelLoops student, painn;
  /// out = bias + in . matrix, in whole panels. What becomes of a row does not depend on the rows beside it.
  void (*multiply)(Rows<const float> in, std::int64_t n_rows, const Panels& by, Rows<float> out);
  /// Values become SiLU of themselves, and slopes its derivative.
  void (*silu)(Rows<float> values, Rows<float> slopes, std::int64_t n_rows, std::int64_t n);
  void (*scale)(Rows<float> values, Rows<const float> by, std::int64_t n_rows, std::int64_t n);
  void (*add)(Rows<float> values, Rows<const float> by, std::int64_t n_rows, std::int64_t n);
  /// Lengths of vectors [rows][3][v.pitch]: sqrt(v v + epsilon).
  void (*lengths)(Rows<const float> v, std::int64_t n_rows, std::int64_t n, float epsilon, Rows<float> out);
  float (*dot)(const float* a, const float* b, std::int64_t n);
};

RAFTER_DECLARE_ISA_TABLE(ForceFieldLoops, forcefield_loops)

}  // namespace rafter::forcefield_ladder::cpu
