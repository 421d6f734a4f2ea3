// The loops of the CPU's force fields, compiled per instruction-set level. Rows of atoms are whole panels of channels;
// padding channels are zero.
#pragma once

#include <cstdint>

#include "library/core/cpu/isa.hpp"
#include "library/core/cpu/panels.hpp"

namespace rafter::forcefield_ladder::cpu {

using core::round_up_to_panels, core::Panels, core::Rows;

/// The number of channels whose polynomials are contiguous: a layer's filters on an interval are [channels /
/// block_channels][filter][power][block_channels]. The filters are those of scalars, of vectors along the edge and of
/// the neighbour's vectors, in this order.
inline constexpr std::int64_t block_channels = 16;
inline constexpr int n_powers = 6;
inline constexpr std::int64_t block_floats = 3 * n_powers * block_channels;

/// Two atoms within the cutoff of each other; the second may be a periodic image of the first.
struct Pair {
  std::int32_t first, second;  // rows
  float vector[3];             // from the first to the second
  float length;
  float unit[3];  // the vector divided as the model defines it
  float place;    // position in the table's interval, 0 to 1
  std::int64_t interval;
};

/// The messages of a layer. In the student an atom sends its scalars; in PaiNN, one factor per filter. Vectors are
/// [atoms][3][pitch]; other rows have their own pitch. The parts of a row are `channels` apart.
struct Messages {
  const Pair* pairs;
  std::int64_t n_pairs;
  const float* table;  // the layer's filters: [channels / block_channels][interval][block_floats]
  std::int64_t n_intervals;
  std::int64_t channels, pitch;
  Rows<const float> sent;
  const float* v;     // null: all are zero
  Rows<float> s_sum;  // the messages are added to it
  float* v_sum;       // the messages are added to it
};

struct MessagesBackward {
  Messages forward;  // s_sum and v_sum are not used
  Rows<const float> gs_sum;
  const float* gv_sum;
  Rows<float> g_sent;  // gradients are added to it; not used if v is null
  float* gv;           // gradients are added to it; not used if v is null
  float* by_pair;  // [pairs][4]: derivatives with respect to the length, in intervals, and the unit vector are added
};

/// An update of atoms. Rows of scalars are [pitch], of vectors [3][pitch]; a row of n parts is n times as long, and its
/// parts are `channels` apart.
struct Update {
  std::int64_t n_atoms, channels, pitch;
  bool has_vectors;     // false in the last layer, whose vectors are not used
  const float* mixing;  // student: [3][3]
  const float* in;      // 2 parts: s_sum and lengths
  const float* v_sum;
  const float* mixed;  // painn: [3] rows of 2 parts
  const float* gates;  // 3 parts; the student's last layer uses only one
  float *s, *v;

  const float *gs, *gv;    // gradients with respect to s and v
  float* g_gates;          // 3 parts
  const float* g_in;       // 2 parts
  float *gs_sum, *gv_sum;  // painn: gv_sum is with respect to mixed
};

/// The loops that differ between models.
struct ModelLoops {
  void (*pass_messages)(const Messages&);
  void (*pass_messages_backward)(const MessagesBackward&);
  void (*update)(const Update&);
  void (*gates_backward)(const Update&);    // computes g_gates
  void (*vectors_backward)(const Update&);  // computes gs_sum and gv_sum
};

/// All loops. n must be a multiple of block_channels.
struct ForceFieldLoops {
  ModelLoops student, painn;
  /// Computes out = bias + in . matrix, in whole panels. The result of a row does not depend on other rows.
  void (*multiply)(Rows<const float> in, std::int64_t n_rows, const Panels& by, Rows<float> out);
  /// Replaces values by their SiLU, and stores its derivative in slopes.
  void (*silu)(Rows<float> values, Rows<float> slopes, std::int64_t n_rows, std::int64_t n);
  void (*scale)(Rows<float> values, Rows<const float> by, std::int64_t n_rows, std::int64_t n);
  void (*add)(Rows<float> values, Rows<const float> by, std::int64_t n_rows, std::int64_t n);
  /// Computes the lengths of vectors [rows][3][v.pitch]: sqrt(v . v + epsilon).
  void (*lengths)(Rows<const float> v, std::int64_t n_rows, std::int64_t n, float epsilon, Rows<float> out);
  float (*dot)(const float* a, const float* b, std::int64_t n);
};

RAFTER_DECLARE_ISA_TABLE(ForceFieldLoops, forcefield_loops)

}  // namespace rafter::forcefield_ladder::cpu
