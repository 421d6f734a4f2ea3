// Loads LeNet's weights and classifies a batch of images, on a GPU if available.
//   digits WEIGHTS            the weight file; random weights are written there if it does not exist
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <rafter/rafter.hpp>
#include <random>
#include <vector>

namespace {

/// Returns random weights of the right size.
rafter::LenetWeights random_weights() {
  rafter::LenetWeights weights;
  std::mt19937 random(1);
  const auto fill = [&](auto& values, float size) {
    std::uniform_real_distribution<float> uniform(-size, size);
    for (float& value : values) value = uniform(random);
  };
  fill(weights.conv1, 0.06f);
  fill(weights.conv2, 0.006f);
  fill(weights.fc1, 0.01f);
  fill(weights.fc2, 0.2f);
  return weights;
}

/// Returns images of a white frame that grows from image to image.
std::vector<std::uint8_t> frames(std::int64_t n) {
  constexpr std::int64_t side = rafter::Lenet::image_side;
  std::vector<std::uint8_t> images(static_cast<std::size_t>(n * rafter::Lenet::image_pixels));
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t y = 0; y < side; ++y) {
      for (std::int64_t x = 0; x < side; ++x) {
        const std::int64_t far = std::max(std::abs(2 * y - side), std::abs(2 * x - side));
        const bool is_white = far / 8 == i % (side / 8);
        images[static_cast<std::size_t>((i * side + y) * side + x)] = is_white ? 255 : 0;
      }
    }
  }
  return images;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::filesystem::path path = argc > 1 ? argv[1] : "lenet.weights";
    if (!std::filesystem::exists(path)) rafter::write_lenet_weights(path, random_weights());

    const bool has_gpu = !rafter::why_unavailable(rafter::Device::cuda);
    const rafter::Stream stream = rafter::Stream::on(has_gpu ? rafter::Device::cuda : rafter::Device::cpu);
    rafter::Lenet model(stream, rafter::read_lenet_weights(path), {.precision = rafter::ConvPrecision::fp32});

    // Images on the device: no copies, no waiting.
    constexpr std::int64_t n = 1000;
    const std::vector<std::uint8_t> images = frames(n);
    const rafter::Buffer<std::uint8_t> there(stream, images);
    rafter::Buffer<rafter::LenetResult> made(stream, n);
    model.run(there.span(), made.span());
    std::vector<rafter::LenetResult> results(n);
    made.copy_to(results);

    // Images in host memory: copies and kernels overlap, with identical results.
    rafter::HostPipeline<std::uint8_t, rafter::LenetResult> pipeline(
        stream, {.in_elements = rafter::Lenet::image_pixels, .out_elements = 1, .items = 256});
    std::vector<rafter::LenetResult> again(n);
    pipeline.run(images, again, [&](auto in, auto out) { model.run(in, out); });

    const auto& first = results.front();
    std::printf("on %s the first image is a %d (%.0f %%); %s\n", has_gpu ? "cuda" : "cpu", first.label,
                100 * *std::max_element(first.probabilities.begin(), first.probabilities.end()),
                again == results ? "the pipeline agrees" : "the pipeline DIFFERS");
    return again == results ? 0 : 1;
  } catch (const rafter::Error& error) {
    std::fprintf(stderr, "digits: %s\n", error.what());
    return 1;
  }
}
