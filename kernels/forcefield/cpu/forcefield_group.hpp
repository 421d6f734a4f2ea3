// Energies, forces and virials of a group of molecules on one thread, which keeps the data between layers in its
// caches. Messages are computed pair by pair; the atoms of all molecules are the rows of products.
#pragma once

#include <span>
#include <vector>

#include "forcefield/cpu/forcefield_pairs.hpp"
#include "forcefield/forcefield_rung.hpp"
#include "library/core/stage_ticks.hpp"

namespace rafter::forcefield_ladder::cpu {

class GroupPass {
 public:
  GroupPass(const ForceFieldArgs<float>& args, core::StageCounters counters);

  /// The number of floats between the layers for a group's atoms.
  static std::int64_t n_floats(const ForceFieldArgs<float>& args, std::int64_t n_atoms);
  /// Starts a counter for each stage of run().
  static core::StageCounters begin_stages(const ForceFieldArgs<float>& args);

  /// Computes the molecules. `between` is memory of the calling thread: n_floats() for all their atoms, aligned to 64
  /// bytes.
  void run(std::span<const std::int32_t> molecules, float* between);

 private:
  /// A range of atoms whose products are computed together.
  struct Chunk {
    std::int64_t first, n;
  };
  /// The offsets of arrays, in rows per atom.
  struct Layout {
    explicit Layout(const PackedForceField& model);
    std::int64_t s = 0, v = 1, v_sum = 4, slopes = 7, gates = 8;  // of a layer
    std::int64_t context_slopes = 11, sent = 12, mixed = 15;      // of a layer of painn
    std::int64_t layer;                                           // distance of two layers
    std::int64_t in = 0, gs = 2, gv = 3, gs_sum = 6, gv_sum = 7;  // after the layers
    std::int64_t g_sent = 10;                                     // of painn
    std::int64_t common;
  };

  /// The rows of a field with this number of parts.
  Rows<float> of_layer(std::int64_t l, std::int64_t field, std::int64_t n_parts) const;
  Rows<float> common(std::int64_t field, std::int64_t n_parts) const;
  Rows<float> scratch(std::int64_t field, std::int64_t n_parts) const;
  template <class F>
  void for_each_chunk(const F& f) const;

  void begin(std::span<const std::int32_t> molecules);
  void make_context(std::int64_t l);
  void pass_messages(std::int64_t l);
  void update(std::int64_t l);
  void read_out();
  void update_backward(std::int64_t l);
  void pass_messages_backward(std::int64_t l);
  void context_backward(std::int64_t l);
  void finish(std::span<const std::int32_t> molecules);
  void add_gradients();

  Messages messages_of(std::int64_t l) const;
  struct Update update_of(std::int64_t l, Chunk atoms) const;

  const ForceFieldArgs<float>& args_;
  const PackedForceField& model_;
  const ForceFieldLoops& loops_;
  const ModelLoops& own_;
  const Layout at_;
  core::StageCounters counters_;
  std::int64_t channels_, pitch_;

  PairFinder finder_;
  std::span<const Pair> pairs_;
  std::vector<std::int32_t> molecule_of_;  // [atoms]: index in the group
  std::vector<float> by_pair_, energies_;  // [pairs][4], [atoms]
  std::vector<double> forces_, virials_;   // [atoms][3], [molecules][3][3]
  std::int64_t n_atoms_ = 0;
  float* layers_ = nullptr;   // [layers][layout.layer][atoms][pitch]
  float* common_ = nullptr;   // [layout.common][atoms][pitch]
  float* scratch_ = nullptr;  // of a chunk
};

}  // namespace rafter::forcefield_ladder::cpu
