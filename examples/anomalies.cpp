// Loads a model for windows of spectra and finds the window that differs from the others, on a GPU if available.
//   anomalies MODEL           a safetensors file; a random model is written there if it does not exist
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <rafter/rafter.hpp>
#include <random>
#include <vector>

namespace {

std::vector<float> random_numbers(std::int64_t n, float low, float high, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(low, high);
  std::vector<float> numbers(static_cast<std::size_t>(n));
  for (float& number : numbers) number = uniform(random);
  return numbers;
}

/// Returns an untrained model of the right size.
rafter::SpectralWeights random_weights(const rafter::SpectralShape& s) {
  const auto small = [](std::int64_t n, unsigned seed) { return random_numbers(n, -0.1f, 0.1f, seed); };
  return {.shape = s,
          .encoder_norm_weight = random_numbers(s.mels, 0.9f, 1.1f, 1),
          .encoder_norm_bias = small(s.mels, 2),
          .encoder_weight = small(s.slice * s.mels, 3),
          .encoder_bias = small(s.slice, 4),
          .basis = small(s.latent * s.features(), 5),
          .latent_norm_weight = random_numbers(s.latent, 0.9f, 1.1f, 6),
          .latent_norm_bias = small(s.latent, 7),
          .latent_weight = small(s.latent * s.latent, 8),
          .latent_bias = small(s.latent, 9),
          .decoder_weight = small(s.mels * s.slice, 10),
          .decoder_bias = small(s.mels, 11)};
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::filesystem::path path = argc > 1 ? argv[1] : "model.safetensors";
    if (!std::filesystem::exists(path)) rafter::write_spectral_weights(path, random_weights({}));

    const bool has_gpu = !rafter::why_unavailable(rafter::Device::cuda);
    const rafter::Stream stream = rafter::Stream::on(has_gpu ? rafter::Device::cuda : rafter::Device::cpu);
    const rafter::SpectralAutoencoder model(stream, rafter::read_spectral_weights(path));

    // One window of a thousand is louder than the others.
    constexpr std::int64_t n = 1000, loud = 123;
    const std::int64_t window = model.shape().window();
    std::vector<float> windows = random_numbers(n * window, -1, 1, 12);
    for (std::int64_t i = loud * window; i < (loud + 1) * window; ++i) windows[static_cast<std::size_t>(i)] *= 3;

    const rafter::Buffer<float> there(stream, windows);
    rafter::Buffer<float> made(stream, n);
    model.score(stream, there.span(), made.span());
    std::vector<float> scores(n);
    made.copy_to(scores);

    const auto highest = std::max_element(scores.begin(), scores.end());
    std::printf("on %s window %d has the highest score, %.2f\n", has_gpu ? "cuda" : "cpu",
                static_cast<int>(highest - scores.begin()), static_cast<double>(*highest));
    return highest - scores.begin() == loud ? 0 : 1;
  } catch (const rafter::Error& error) {
    std::fprintf(stderr, "anomalies: %s\n", error.what());
    return 1;
  }
}
