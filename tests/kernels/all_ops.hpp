// Every op of the library once, with answers that are known beforehand and differ from one `value` to the next.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "rafter/rafter.hpp"

namespace rafter {

class AllOps {
 public:
  /// Arrays in memory of the stream's device; `value` is small and positive.
  AllOps(const Stream& stream, std::int64_t n, int value)
      : n_(n),
        value_(value),
        floats_(stream, std::vector<float>(size(), static_cast<float>(value))),
        ints_(stream, std::vector<std::int32_t>(size(), value)),
        indices_(stream, reversed()),
        float_out_(stream, n),
        filled_(stream, n),
        scattered_(stream, n_keys),
        fetched_(stream, n),
        turned_(stream, n),
        scanned_(stream, n),
        kept_(stream, n),
        n_kept_(stream, 1),
        bad_(stream, 1),
        total_(stream, 1),
        row_totals_(stream, n_rows),
        heat_(stream, std::vector<float>(static_cast<std::size_t>(heat_shape.n_cells()), static_cast<float>(value))),
        heat_out_(stream, heat_.size()),
        heat_work_(stream, heat_.size()),
        images_(stream, std::vector<float>(static_cast<std::size_t>(conv_shape.batch * conv_shape.image()),
                                           static_cast<float>(value))),
        kernels_(stream, std::vector<float>(static_cast<std::size_t>(conv_shape.maps * conv_shape.kernel()), 1)),
        convolved_(stream, conv_shape.batch * conv_shape.maps * conv_shape.out_height() * conv_shape.out_width()),
        pooled_(stream, conv_shape.batch * conv_shape.maps * conv_pool.out(conv_shape.out_height()) *
                            conv_pool.out(conv_shape.out_width())),
        spectral_(stream, spectral_weights(spectral_shape, static_cast<float>(value))),
        original_(stream, spectral_weights({}, static_cast<float>(value))),
        windows_(stream, std::vector<float>(static_cast<std::size_t>(SpectralShape{}.window()), 1)),
        rebuilt_(stream, n_windows * spectral_shape.window()),
        rebuilt_original_(stream, SpectralShape{}.window()),
        distances_(stream, std::vector<float>(n_edges, 1)),
        centres_(stream, std::vector<float>(n_centres, 0)),
        radial_(stream, n_edges * n_centres),
        by_distance_(stream, n_edges),
        positions_(stream, along_x(static_cast<float>(value))),
        edge_index_(stream, neighbours()),
        plan_(stream, edge_index_, n_edges + 1),
        edge_vectors_(stream, 3 * n_edges),
        edge_lengths_(stream, n_edges),
        edge_units_(stream, 3 * n_edges),
        by_position_(stream, 3 * (n_edges + 1)),
        field_(stream, field_weights()),
        molecules_(stream, molecule_sizes(), elements()),
        atoms_(stream, atoms(value)),
        energies_(stream, n_molecules),
        forces_(stream, atoms_.size()),
        expected_(field_answers(value)) {}

  void enqueue(const Stream& stream) {
    const MatrixShape shape{n_rows, n_ / n_rows};
    sum(stream, floats_, total_.data());
    row_sums(stream, floats_.span().first(static_cast<std::size_t>(shape.n_rows * shape.n_cols)), shape,
             row_totals_.span());
    inclusive_sum(stream, ints_, scanned_.span());
    filter(stream, ints_, {CompareOp::less, value_ + 1}, FilterOrder::preserved, kept_.span(), n_kept_.data());
    scatter(stream, indices_, floats_, {}, scattered_.span());
    gather(stream, ints_, indices_, OutOfRange::report(bad_.data()), fetched_.span());
    transpose<std::int32_t>(stream, scanned_.span().first(static_cast<std::size_t>(shape.n_rows * shape.n_cols)), shape,
                            turned_.span().first(static_cast<std::size_t>(shape.n_rows * shape.n_cols)));
    fill(stream, 2.f, filled_.span());
    mul_add(stream, floats_, filled_, filled_, float_out_.span());
    heat_advance(stream, heat_, {.shape = heat_shape, .order = 4}, 2, heat_out_.span(), heat_work_.span());
    conv(stream, images_, kernels_, conv_shape, {}, convolved_.span());
    // Windows that no kernel pools in registers: the output before them is in scratch memory.
    conv(stream, images_, kernels_, conv_shape, {.relu = true, .pool = conv_pool}, pooled_.span());
    const std::span<const float> windows = windows_;
    spectral_.forward(stream, windows.first(rebuilt_.span().size()), rebuilt_.span());
    original_.forward(stream, windows, rebuilt_original_.span());
    const RadialGaussians functions{centres_, static_cast<float>(value_), 2};
    radial(stream, distances_, functions, radial_.span());
    radial_gradient(stream, distances_, functions, radial_, by_distance_.span());
    edge_vectors(stream, positions_, edge_index_, {edge_vectors_.span(), edge_lengths_.span(), edge_units_.span()});
    edge_gradient(stream, positions_, plan_, {edge_vectors_, edge_lengths_, edge_units_}, by_position_.span());
    field_.compute(stream, molecules_, atoms_, ForceFieldResults<float>{energies_.span(), forces_.span()});
  }

  /// Waits for the results, and spoils them.
  void check() {
    const auto v = static_cast<float>(value_);
    const auto n = static_cast<float>(n_);
    const std::int64_t n_cols = n_ / n_rows;
    EXPECT_EQ(taken(total_), std::vector<float>(1, n * v));
    EXPECT_EQ(taken(row_totals_), std::vector<float>(n_rows, static_cast<float>(n_cols) * v));
    EXPECT_EQ(taken(n_kept_), std::vector<std::int64_t>(1, n_));
    EXPECT_EQ(taken(kept_), std::vector<std::int32_t>(size(), value_));
    EXPECT_EQ(taken(scattered_), std::vector<float>(n_keys, v));
    EXPECT_EQ(taken(bad_)[0].count, 0);
    EXPECT_EQ(taken(fetched_), std::vector<std::int32_t>(size(), value_));
    EXPECT_EQ(taken(float_out_), std::vector<float>(size(), 2 * v + 2));
    const std::vector<std::int32_t> scanned = taken(scanned_);
    const std::vector<std::int32_t> turned = taken(turned_);
    std::int64_t n_wrong = 0;
    for (std::int64_t i = 0; i < n_rows * n_cols; ++i) {
      const auto expected = static_cast<std::int32_t>((i + 1) * value_);
      n_wrong += scanned[static_cast<std::size_t>(i)] != expected;
      n_wrong += turned[static_cast<std::size_t>(i % n_cols * n_rows + i / n_cols)] != expected;
    }
    EXPECT_EQ(n_wrong, 0);
    for (const float cell : taken(heat_out_)) ASSERT_NEAR(cell, v, 1e-4f * v);
    const float sum_of_taps = static_cast<float>(conv_shape.kernel()) * v;
    EXPECT_EQ(taken(convolved_), std::vector<float>(static_cast<std::size_t>(convolved_.size()), sum_of_taps));
    EXPECT_EQ(taken(pooled_), std::vector<float>(static_cast<std::size_t>(pooled_.size()), sum_of_taps));
    for (const float cell : taken(rebuilt_)) ASSERT_NEAR(cell, spectral_answer(spectral_shape) + v, 1e-4f);
    for (const float cell : taken(rebuilt_original_)) ASSERT_NEAR(cell, spectral_answer({}) + v, 1e-4f);
    const float gaussian = std::exp(-v);  // half of it is below the cutoff's cosine
    for (const float cell : taken(radial_)) ASSERT_NEAR(cell, gaussian / 2, 1e-6f);
    for (const float cell : taken(by_distance_))
      ASSERT_NEAR(cell, -n_centres * gaussian * gaussian / 2 * (0.785398163f + v), 1e-5f);
    EXPECT_EQ(taken(edge_lengths_), std::vector<float>(n_edges, v));
    for (const float cell : taken(edge_units_)) ASSERT_TRUE(cell == 0 || std::abs(cell - 1) < 1e-6f) << cell;
    const std::vector<float> vectors = taken(edge_vectors_), by_position = taken(by_position_);
    for (std::size_t i = 0; i < vectors.size(); ++i) ASSERT_EQ(vectors[i], i % 3 == 0 ? v : 0) << i;
    // A chain: what an edge takes from its target it gives to its source, but for the two ends.
    for (std::size_t i = 0; i < by_position.size(); ++i) {
      const bool is_end = i == 0 || i == 3 * n_edges;
      ASSERT_NEAR(by_position[i], !is_end ? 0 : i == 0 ? -2 * v : 2 * v, 1e-4f) << i;
    }
    check_field();
  }

 private:
  static constexpr std::int64_t n_rows = 7;
  static constexpr std::int64_t n_keys = 100;
  static constexpr GridShape heat_shape{18, 21, 35};
  static constexpr ConvShape conv_shape{
      .batch = 3, .channels = 2, .height = 21, .width = 19, .maps = 5, .kernel_height = 7, .kernel_width = 7};
  static constexpr MaxPool conv_pool{.size = 3, .stride = 2, .ceil = true};

  static constexpr SpectralShape spectral_shape{.mels = 20, .frames = 2, .latent = 12, .slice = 24};
  static constexpr std::int64_t n_windows = 3;
  static constexpr std::int64_t n_edges = 300, n_centres = 20;
  static constexpr std::int64_t n_molecules = 5, molecule_atoms = 6;

  /// Matrices of ones, and biases of 1 but for the last, which is `value`: spectra and latents are alike, so that their
  /// norms are 0 and what follows is GELU(1).
  static SpectralWeights spectral_weights(const SpectralShape& shape, float value) {
    const auto all = [](std::int64_t n, float number) {
      return std::vector<float>(static_cast<std::size_t>(n), number);
    };
    return {.shape = shape,
            .encoder_norm_weight = all(shape.mels, 1),
            .encoder_norm_bias = all(shape.mels, 0),
            .encoder_weight = all(shape.slice * shape.mels, 1),
            .encoder_bias = all(shape.slice, 1),
            .basis = all(shape.latent * shape.features(), 1),
            .latent_norm_weight = all(shape.latent, 1),
            .latent_norm_bias = all(shape.latent, 0),
            .latent_weight = all(shape.latent * shape.latent, 1),
            .latent_bias = all(shape.latent, 1),
            .decoder_weight = all(shape.mels * shape.slice, 0.01f),
            .decoder_bias = all(shape.mels, value)};
  }
  static float spectral_answer(const SpectralShape& shape) {
    const auto rebuilt =
        0.841344746f * static_cast<float>(shape.latent) / std::sqrt(static_cast<float>(shape.features()));
    return 0.01f * static_cast<float>(shape.slice) * rebuilt;
  }

  /// Atoms in a row, `step` apart, and edges from each to the one before it.
  static std::vector<float> along_x(float step) {
    std::vector<float> positions(3 * (n_edges + 1));
    for (std::size_t atom = 0; atom <= n_edges; ++atom) positions[3 * atom] = static_cast<float>(atom) * step;
    return positions;
  }
  static std::vector<std::int64_t> neighbours() {
    std::vector<std::int64_t> index(2 * n_edges);
    for (std::size_t edge = 0; edge < n_edges; ++edge) {
      index[edge] = static_cast<std::int64_t>(edge) + 1;
      index[n_edges + edge] = static_cast<std::int64_t>(edge);
    }
    return index;
  }

  /// Molecules small enough for a GPU's blocks: others cannot be captured.
  static ForceFieldWeights field_weights() {
    return random_forcefield_weights({.model = ForceFieldModel::painn,
                                      .features = 8,
                                      .layers = 2,
                                      .radial = 4,
                                      .elements = 10,
                                      .readout = {4},
                                      .cutoff = 3},
                                     1);
  }
  static std::vector<std::int64_t> molecule_sizes() { return std::vector<std::int64_t>(n_molecules, molecule_atoms); }
  static std::vector<std::int32_t> elements() {
    std::vector<std::int32_t> all(n_molecules * molecule_atoms);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int32_t>(i % 9) + 1;
    return all;
  }
  /// Zigzags, wider for a larger value.
  static std::vector<float> atoms(int value) {
    std::vector<float> positions;
    for (int i = 0; i < n_molecules * molecule_atoms; ++i) {
      const int atom = i % static_cast<int>(molecule_atoms);
      for (const float x : {1.1f * static_cast<float>(atom), 0.2f * static_cast<float>(value * (atom % 2)), 0.f})
        positions.push_back(x);
    }
    return positions;
  }
  struct FieldAnswers {
    std::vector<double> energies;
    std::vector<float> forces;
  };
  /// By the CPU.
  static FieldAnswers field_answers(int value) {
    const Stream stream = Stream::cpu(1);
    const std::vector<float> positions = atoms(value);
    FieldAnswers answers{std::vector<double>(n_molecules), std::vector<float>(positions.size())};
    ForceField(stream, field_weights())
        .compute(stream, MoleculeBatch(stream, molecule_sizes(), elements()), positions,
                 ForceFieldResults<float>{answers.energies, answers.forces});
    return answers;
  }
  void check_field() {
    const std::vector<double> energies = taken(energies_);
    const std::vector<float> forces = taken(forces_);
    for (std::size_t i = 0; i < energies.size(); ++i) ASSERT_NEAR(energies[i], expected_.energies[i], 1e-4) << i;
    for (std::size_t i = 0; i < forces.size(); ++i) ASSERT_NEAR(forces[i], expected_.forces[i], 1e-4f) << i;
  }

  std::size_t size() const { return static_cast<std::size_t>(n_); }
  std::vector<std::int64_t> reversed() const {
    std::vector<std::int64_t> indices(size());
    for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = n_ - 1 - static_cast<std::int64_t>(i);
    return indices;
  }
  template <class T>
  static std::vector<T> taken(Buffer<T>& buffer) {
    std::vector<T> values(static_cast<std::size_t>(buffer.size()));
    buffer.copy_to(values);
    buffer.copy_from(std::vector<T>(values.size(), T{}));
    return values;
  }

  std::int64_t n_;
  std::int32_t value_;
  Buffer<float> floats_;
  Buffer<std::int32_t> ints_;
  Buffer<std::int64_t> indices_;
  Buffer<float> float_out_, filled_, scattered_;
  Buffer<std::int32_t> fetched_, turned_, scanned_, kept_;
  Buffer<std::int64_t> n_kept_;
  Buffer<BadIndices> bad_;
  Buffer<float> total_, row_totals_;
  Buffer<float> heat_, heat_out_, heat_work_;
  Buffer<float> images_, kernels_, convolved_, pooled_;
  SpectralAutoencoder spectral_, original_;
  Buffer<float> windows_, rebuilt_, rebuilt_original_;
  Buffer<float> distances_, centres_, radial_, by_distance_;
  Buffer<float> positions_;
  Buffer<std::int64_t> edge_index_;
  EdgePlan plan_;
  Buffer<float> edge_vectors_, edge_lengths_, edge_units_, by_position_;
  ForceField field_;
  MoleculeBatch molecules_;
  Buffer<float> atoms_;
  Buffer<double> energies_;
  Buffer<float> forces_;
  FieldAnswers expected_;
};

}  // namespace rafter
