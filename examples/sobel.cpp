// Finds edges in images with a convolution, on a GPU if available: of images on the device, and of images in host
// memory, for which copies and kernels overlap.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <rafter/rafter.hpp>
#include <vector>

namespace {

constexpr std::int64_t side = 86;

/// Returns images of a white frame that grows from image to image.
std::vector<float> frames(std::int64_t n) {
  std::vector<float> images(static_cast<std::size_t>(n * side * side));
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t y = 0; y < side; ++y) {
      for (std::int64_t x = 0; x < side; ++x) {
        const std::int64_t far = std::max(std::abs(2 * y - side), std::abs(2 * x - side));
        const bool is_white = far / 8 == i % (side / 8);
        images[static_cast<std::size_t>((i * side + y) * side + x)] = is_white ? 255.f : 0.f;
      }
    }
  }
  return images;
}

/// Sobel's operator: a map of the edges to the right of something dark, and one of those below it.
const std::vector<float> sobel{
    -1, 0,  1,  -2, 0, 2, -1, 0, 1,  //
    -1, -2, -1, 0,  0, 0, 1,  2, 1,
};

/// A convolution with these kernels, ReLU, and pooling of 2 x 2 outputs, as one op.
class Edges {
 public:
  explicit Edges(const rafter::Stream& stream) : stream_(stream), kernels_(stream, sobel) {}

  static constexpr std::int64_t outputs = 2 * 42 * 42;  // per image

  void operator()(rafter::DeviceSpan<const float> images, rafter::DeviceSpan<float> maps) const {
    const rafter::ConvShape shape{.batch = images.size() / (side * side),
                                  .channels = 1,
                                  .height = side,
                                  .width = side,
                                  .maps = 2,
                                  .kernel_height = 3,
                                  .kernel_width = 3};
    rafter::conv(stream_, images, kernels_, shape, {.relu = true, .pool = {.size = 2, .stride = 2}}, maps);
  }

 private:
  rafter::Stream stream_;
  rafter::Buffer<float> kernels_;
};

}  // namespace

int main() {
  try {
    const bool has_gpu = !rafter::why_unavailable(rafter::Device::cuda);
    const rafter::Stream stream = rafter::Stream::on(has_gpu ? rafter::Device::cuda : rafter::Device::cpu);
    const Edges edges(stream);

    // Images on the device: no copies, no waiting.
    constexpr std::int64_t n = 1000;
    const std::vector<float> images = frames(n);
    const rafter::Buffer<float> there(stream, images);
    rafter::Buffer<float> made(stream, n * Edges::outputs);
    edges(there, made.span());
    std::vector<float> maps(static_cast<std::size_t>(made.size()));
    made.copy_to(maps);

    // Images in host memory: copies and kernels overlap, with identical results.
    rafter::HostPipeline<float, float> pipeline(
        stream, {.in_elements = side * side, .out_elements = Edges::outputs, .items = 256});
    std::vector<float> again(maps.size());
    pipeline.run(images, again, edges);

    const auto n_edges = std::count_if(maps.begin(), maps.end(), [](float value) { return value > 0; });
    std::printf("on %s %.1f %% of the outputs are edges; %s\n", has_gpu ? "cuda" : "cpu",
                100. * static_cast<double>(n_edges) / static_cast<double>(maps.size()),
                again == maps ? "the pipeline agrees" : "the pipeline DIFFERS");
    return again == maps ? 0 : 1;
  } catch (const rafter::Error& error) {
    std::fprintf(stderr, "sobel: %s\n", error.what());
    return 1;
  }
}
