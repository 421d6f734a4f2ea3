// Lenet: checks its arguments and runs the layers of the stream's device.
#include "apps/classify/lenet/lenet.hpp"

#include <algorithm>
#include <string>

#include "apps/classify/lenet/lenet_layers.hpp"
#include "library/core/arguments.hpp"
#include "library/core/dispatch.hpp"

namespace rafter::classify {

namespace {

constexpr ConvShape conv1_shape(std::int64_t batch) {
  return {.batch = batch, .channels = 1, .height = 86, .width = 86, .maps = 4, .kernel_height = 7, .kernel_width = 7};
}
constexpr MaxPool conv1_pool{.size = 2, .stride = 2};

constexpr ConvShape conv2_shape(std::int64_t batch) {
  return {.batch = batch, .channels = 4, .height = 40, .width = 40, .maps = 16, .kernel_height = 7, .kernel_width = 7};
}
constexpr MaxPool conv2_pool{.size = 4, .stride = 4, .ceil = true};

constexpr std::int64_t outputs_of(const ConvShape& shape, const MaxPool& pool) {
  return shape.maps * pool.out(shape.out_height()) * pool.out(shape.out_width());
}
static_assert(conv1_shape(1).image() == Lenet::image_pixels);
static_assert(outputs_of(conv1_shape(1), conv1_pool) == Lenet::conv1_outputs);
static_assert(conv2_shape(1).image() == Lenet::conv1_outputs);
static_assert(outputs_of(conv2_shape(1), conv2_pool) == Lenet::conv2_outputs);

const lenet::Layers& layers_of(const Stream& stream) {
  if (stream.device() == Device::cpu) return lenet::cpu::layers;
  if constexpr (core::has_cuda) {
    if (stream.device() == Device::cuda) return lenet::cuda::layers;
  }
  if (stream.device() == Device::simt && &lenet::simt::layers != nullptr) return lenet::simt::layers;
  throw Error(ErrorCode::unsupported,
              "Lenet: this program has no implementation for device " + std::string(name(stream.device())));
}

ConvPrecision checked_precision(const Stream& stream, ConvPrecision precision) {
  if (stream.device() == Device::cpu && precision != ConvPrecision::fp32) {
    throw Error(ErrorCode::unsupported,
                std::string("Lenet: the CPU supports precision fp32 only, not ") + name(precision));
  }
  return precision;
}

std::int64_t checked_batch(const Stream& stream, std::int64_t batch) {
  constexpr std::int64_t most = std::int64_t{1} << 30;
  if (batch < 0 || batch > most) {
    core::refuse("Lenet", "batch",
                 "must be from 1 to 2^30 images, or 0 for the device's default, is " + std::to_string(batch));
  }
  if (batch > 0) return batch;
  return stream.device() == Device::cpu ? 256 : 2048;
}

/// An array argument and its number of elements per image.
template <class T>
struct Argument {
  const char* name;
  DeviceSpan<T> array;
  std::int64_t elements;
};
template <class T>
Argument(const char*, DeviceSpan<T>, std::int64_t) -> Argument<T>;  // Clang 14 does not deduce it

/// Returns the number of images in `in`. Throws Error (bad_argument) unless `out` has elements for as many.
template <class In, class Out>
std::int64_t n_images(const Stream& stream, const char* op, const Argument<In>& in, const Argument<Out>& out) {
  const std::int64_t n = in.array.size() / in.elements;
  if (in.array.size() % in.elements != 0) {
    core::refuse(
        op, in.name,
        "should have " + std::to_string(in.elements) + " elements per image, has " + std::to_string(in.array.size()));
  }
  core::require_size(op, out.name, out.array, n * out.elements);
  core::require_array(stream, op, in.name, in.array);
  core::require_array(stream, op, out.name, out.array);
  core::require_disjoint(op, in.name, in.array, out.name, out.array);
  return n;
}

void convolve(const Stream& stream, const conv_ladder::ConvArgs<float>& args) {
  const core::OpScope scope(stream);
  layers_of(stream).conv(stream, args);
}

}  // namespace

Lenet::Lenet(const Stream& stream, const LenetWeights& weights, const LenetOptions& options)
    : stream_(stream),
      precision_(checked_precision(stream, options.precision)),
      batch_(checked_batch(stream, options.batch)),
      weights_(stream, std::span(&weights, 1)),
      pixels_(stream, batch_ * image_pixels),
      conv1_out_(stream, batch_ * conv1_outputs),
      conv2_out_(stream, batch_ * conv2_outputs) {
  static_cast<void>(layers_of(stream));
}

void Lenet::conv1(DeviceSpan<const float> images, DeviceSpan<float> out) const {
  const std::int64_t n =
      n_images(stream_, "Lenet::conv1", Argument{"images", images, image_pixels}, Argument{"out", out, conv1_outputs});
  const LenetWeights& weights = *weights_.data();  // device memory: only its addresses are used
  convolve(stream_, {.in = images.data(),
                     .kernels = weights.conv1.data(),
                     .shape = conv1_shape(n),
                     .precision = precision_,
                     .bias = weights.conv1_bias.data(),
                     .relu = true,
                     .pool = conv1_pool,
                     .winograd = false,
                     .out = out.data()});
}

void Lenet::conv2(DeviceSpan<const float> in, DeviceSpan<float> out) const {
  const std::int64_t n =
      n_images(stream_, "Lenet::conv2", Argument{"in", in, conv1_outputs}, Argument{"out", out, conv2_outputs});
  const LenetWeights& weights = *weights_.data();
  convolve(stream_, {.in = in.data(),
                     .kernels = weights.conv2.data(),
                     .shape = conv2_shape(n),
                     .precision = precision_,
                     .bias = weights.conv2_bias.data(),
                     .relu = true,
                     .pool = conv2_pool,
                     .winograd = false,
                     .out = out.data()});
}

void Lenet::classify(DeviceSpan<const float> in, DeviceSpan<LenetResult> results) const {
  const std::int64_t n =
      n_images(stream_, "Lenet::classify", Argument{"in", in, conv2_outputs}, Argument{"results", results, 1});
  if (reinterpret_cast<std::uintptr_t>(in.data()) % 16 != 0)
    core::refuse("Lenet::classify", "in", "must be aligned to 16 bytes");
  const core::OpScope scope(stream_);
  layers_of(stream_).classify(stream_, {in.data(), weights_.data(), n, results.data()});
}

void Lenet::run_batch(DeviceSpan<const float> images, DeviceSpan<LenetResult> results) {
  const std::int64_t n = results.size();
  const auto conv1_out = conv1_out_.span().first(n * conv1_outputs);
  const auto conv2_out = conv2_out_.span().first(n * conv2_outputs);
  conv1(images, conv1_out);
  conv2(conv1_out, conv2_out);
  classify(conv2_out, results);
}

template <class Pixel>
void Lenet::run_batches(DeviceSpan<const Pixel> images, DeviceSpan<LenetResult> results) {
  const std::int64_t n =
      n_images(stream_, "Lenet::run", Argument{"images", images, image_pixels}, Argument{"results", results, 1});
  const core::OpScope scope(stream_);
  for (std::int64_t first = 0; first < n; first += batch_) {
    const auto n_now = std::min(batch_, n - first);
    const auto batch = images.subspan(first * image_pixels, n_now * image_pixels);
    const auto results_now = results.subspan(first, n_now);
    if constexpr (std::is_same_v<Pixel, float>) {
      run_batch(batch, results_now);
    } else {
      const auto pixels = pixels_.span().first(batch.size());
      layers_of(stream_).widen(stream_, batch.data(), batch.size(), pixels.data());
      run_batch(pixels, results_now);
    }
  }
}

void Lenet::run(DeviceSpan<const float> images, DeviceSpan<LenetResult> results) { run_batches(images, results); }
void Lenet::run(DeviceSpan<const std::uint8_t> images, DeviceSpan<LenetResult> results) {
  run_batches(images, results);
}

}  // namespace rafter::classify
