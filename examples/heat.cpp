// A hot disc cools on a plate whose faces let no heat through, on a GPU if available. Every frame is written by this
// program itself, as a grey picture (PGM).
//   heat [CELLS [FRAMES [PREFIX]]]              writes PREFIX_0.pgm, PREFIX_1.pgm, ...; default: heat
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <rafter/rafter.hpp>
#include <string>
#include <vector>

namespace {

constexpr std::int64_t n_layers = 9;  // the plate is thin: each layer has the same field

/// Returns 1 inside of a disc in the middle, and 0 outside of it.
std::vector<float> hot_disc(const rafter::GridShape& shape) {
  std::vector<float> field;
  for (std::int64_t z = 0; z < shape.nz; ++z) {
    for (std::int64_t y = 0; y < shape.ny; ++y) {
      for (std::int64_t x = 0; x < shape.nx; ++x) {
        const double dy = static_cast<double>(2 * y + 1 - shape.ny) / static_cast<double>(shape.ny);
        const double dx = static_cast<double>(2 * x + 1 - shape.nx) / static_cast<double>(shape.nx);
        field.push_back(std::hypot(dy, dx) < 0.5 ? 1.f : 0.f);
      }
    }
  }
  return field;
}

/// Writes the middle layer: black is 0, white is 1.
void write_picture(const std::string& path, const rafter::GridShape& shape, const std::vector<float>& field) {
  std::ofstream file(path, std::ios::binary);
  file << "P5\n" << shape.nx << ' ' << shape.ny << "\n255\n";
  const std::int64_t n = shape.ny * shape.nx;
  const auto layer = field.begin() + shape.nz / 2 * n;
  for (auto cell = layer; cell != layer + n; ++cell)
    file.put(static_cast<char>(std::lround(255 * std::clamp(*cell, 0.f, 1.f))));
  if (!file.flush()) throw rafter::Error(rafter::ErrorCode::io, "cannot write " + path);
}

void run(std::int64_t n_cells, int n_frames, const std::string& prefix) {
  const bool has_gpu = !rafter::why_unavailable(rafter::Device::cuda);
  const rafter::Stream stream = rafter::Stream::on(has_gpu ? rafter::Device::cuda : rafter::Device::cpu);
  const rafter::GridShape shape{.nz = n_layers, .ny = n_cells, .nx = n_cells};
  rafter::HeatSolver<float> solver(stream, {.shape = shape}, rafter::HeatBoundary::zero_flux);
  std::vector<float> field = hot_disc(shape);
  solver.set_field(field);
  const double heat_before = solver.summary().total;

  for (int frame = 0; frame < n_frames; ++frame) {
    if (frame > 0) solver.advance(20);
    solver.field(field);
    write_picture(prefix + "_" + std::to_string(frame) + ".pgm", shape, field);
    std::printf("%s_%d.pgm: time %.2f, hottest %.4f\n", prefix.c_str(), frame, solver.time(), solver.summary().max);
  }
  const double change = solver.summary().total / heat_before - 1;
  std::printf("on %s, %lld steps: the plate %s its heat\n", has_gpu ? "cuda" : "cpu",
              static_cast<long long>(solver.n_steps()), std::abs(change) < 1e-5 ? "kept" : "lost");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::int64_t n_cells = argc > 1 ? std::atoll(argv[1]) : 200;
    const int n_frames = argc > 2 ? std::atoi(argv[2]) : 5;
    if (n_cells < 9 || n_frames < 1) {
      std::fprintf(stderr, "usage: heat [CELLS [FRAMES [PREFIX]]], CELLS 9 or more\n");
      return 1;
    }
    run(n_cells, n_frames, argc > 3 ? argv[3] : "heat");
    return 0;
  } catch (const rafter::Error& error) {
    std::fprintf(stderr, "heat: %s\n", error.what());
    return 1;
  }
}
