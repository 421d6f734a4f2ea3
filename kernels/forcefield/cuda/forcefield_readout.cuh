// The readout: energies of atoms from their scalars by two or three small layers, forward and backward. Collective: all
// threads of the block; it ends with a barrier.
#pragma once

#include "forcefield/cuda/forcefield_dense.cuh"

namespace rafter::forcefield_ladder::RAFTER_BACKEND {

template <bool IsPainn, class Tile>
class Readout {
 public:
  __device__ Readout(const State<IsPainn>& state, Tile& tile) : state_(state), tile_(tile), pitch_(state.n_channels) {}

  /// Computes the energies of atoms and, if a gradient is wanted, gs.
  __device__ void run(Chunk atoms, bool wants_gradient) const {
    const ModelView& model = state_.model;
    const int n_hidden = static_cast<int>(model.n_readouts) - 1;
    const int width = BlockTile::readout_width(model);
    const float* s = state_.layer_row(state_.n_layers, state_.at.s, 1, atoms.first);
    tile_.fill(atoms.n, channels(), [&](int row, int, int c) { return load2(s + row * pitch_ + c); });
    int place = 0;
    for (int i = 0; i < n_hidden; ++i) {
      const Linear linear = model.readout_layer(i);
      const Columns columns = all_columns(n_out(linear));
      float* before = tile_.readout() + place;
      tile_.run_once(atoms.n, linear.transposed, n_in(linear), columns);
      activate(tile_, atoms.n, columns, linear.bias, before, width);
      __syncthreads();  // the rows are written
      place += columns.n;
    }
    const Linear last = model.readout_layer(n_hidden);
    write_energies(atoms, last);
    if (wants_gradient) run_backward(atoms, last, tile_.readout() + place, width);
    __syncthreads();  // all threads have read the tile
  }

 private:
  __device__ Columns channels() const { return tile_.channels(state_.model, 1); }

  /// Computes the last product, which has one output, with one warp per atom.
  __device__ void write_energies(Chunk atoms, const Linear& last) const {
    const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
    for (int row = warp; row < atoms.n; row += n_warps()) {
      const float* in = tile_.row(row, n_in(last));
      float sum = 0;
      for (int c = lane; c < n_in(last); c += 32) sum = fmaf(in[c], __ldg(last.weight + c), sum);
      sum = core::warp_sum(sum);
      if (lane == 0) state_.energies[atoms.first + row] = sum + __ldg(last.bias);
    }
    __syncthreads();  // all threads have read the rows
  }

  /// Propagates gradients; `before` has the values of the hidden layers before SiLU.
  __device__ void run_backward(Chunk atoms, const Linear& last, const float* before, int width) const {
    const ModelView& model = state_.model;
    before -= n_in(last);
    tile_.fill(atoms.n, all_columns(n_in(last)), [&](int row, int, int c) {
      const float2 x = load2(before + row * width + c);
      return float2{__ldg(last.weight + c) * silu_of(x.x).slope, __ldg(last.weight + c + 1) * silu_of(x.y).slope};
    });
    for (int i = static_cast<int>(model.n_readouts) - 2; i > 0; --i) {
      const Linear linear = model.readout_layer(i);
      const Columns columns = all_columns(n_in(linear));
      tile_.run_once(atoms.n, linear.weight, n_out(linear), columns);
      before -= columns.n;
      activate_backward(tile_, atoms.n, columns, before, width);
    }
    const Linear first = model.readout_layer(0);
    tile_.run_once(atoms.n, first.weight, n_out(first), channels());
    float* gs = state_.row(state_.at.gs, 1, atoms.first);
    for_each_pair(atoms.n, channels(), [&](int row, int, int c) {
      store2(gs + row * pitch_ + c, tile_.sum2(row, 0, c, channels(), nullptr));
    });
  }

  const State<IsPainn>& state_;
  Tile& tile_;
  int pitch_;  // of the state's rows
};

}  // namespace rafter::forcefield_ladder::RAFTER_BACKEND
