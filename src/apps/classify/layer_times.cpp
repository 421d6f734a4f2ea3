#include "apps/classify/layer_times.hpp"

#include <algorithm>
#include <cstring>
#include <span>

#include "rafter/buffer.hpp"
#include "rafter/error.hpp"
#include "rafter/host_pipeline.hpp"
#include "workbench/lab/machine/timer.hpp"
#include "workbench/lab/measure/statistics.hpp"

namespace rafter::classify {

namespace {

constexpr int n_samples = 7;
constexpr double enough_ns = 1e9;  // per measurement

/// Elements per image in and out of a layer.
struct LayerShape {
  std::string name;
  std::int64_t in, out;
};

class LayerTimer {
 public:
  LayerTimer(Lenet& model, std::int64_t n) : model_(model), n_(n) {}

  /// Times `op(in, out)` and returns the layer's outputs, in host memory.
  template <class In, class Out, class Op>
  std::vector<Out> time(const LayerShape& layer, std::span<const In> in, const Op& op, std::vector<LayerTimes>& times) {
    const Stream& stream = model_.stream();
    const auto timer = lab::make_timer(stream, static_cast<double>(in.size_bytes()));
    const Buffer<In> there(stream, in);
    Buffer<Out> made(stream, n_ * layer.out);
    LayerTimes result{layer.name, {}, {}};
    result.op_ns = median(*timer, lab::Regime::cold, [&] { op(there.span(), made.span()); });
    std::vector<Out> out(static_cast<std::size_t>(made.size()));
    made.copy_to(out);
    if (stream.device() != Device::cpu) result.whole = time_whole(*timer, layer, in, std::span(out), op);
    times.push_back(result);
    return out;
  }

 private:
  template <class Call>
  static double median(lab::Timer& timer, lab::Regime regime, const Call& call) {
    call();
    std::vector<double> samples;
    double total = 0;
    while (samples.size() < n_samples && total < enough_ns) {
      samples.push_back(timer.time_ns(regime, call));
      total += samples.back();
    }
    return lab::summarize(samples).median;
  }

  template <class In, class Out, class Op>
  WholeLayerTimes time_whole(lab::Timer& timer, const LayerShape& layer, std::span<const In> in, std::span<Out> out,
                             const Op& op) {
    const Stream& stream = model_.stream();
    Buffer<In> there(stream, std::ssize(in));
    Buffer<Out> made(stream, std::ssize(out));
    PinnedBuffer<In> pinned_in(stream, std::ssize(in));
    PinnedBuffer<Out> pinned_out(stream, std::ssize(out));
    std::copy(in.begin(), in.end(), pinned_in.data());
    const auto in_order = [&](std::span<const In> from, std::span<Out> to) {
      there.copy_from(from);
      op(DeviceSpan<const In>(there), made.span());
      made.copy_to(to);
    };
    HostPipeline<In, Out> pipeline(stream, {layer.in, layer.out, model_.batch()});
    WholeLayerTimes times;
    times.in_order_ns = median(timer, lab::Regime::wall, [&] { in_order(in, out); });
    times.pinned_ns = median(timer, lab::Regime::wall, [&] { in_order(pinned_in.span(), pinned_out.span()); });
    require_same(layer, std::as_bytes(out), std::as_bytes(pinned_out.span()));
    std::memset(static_cast<void*>(pinned_out.data()), 0xff, pinned_out.span().size_bytes());
    times.overlapped_ns =
        median(timer, lab::Regime::wall, [&] { pipeline.run(pinned_in.span(), pinned_out.span(), op); });
    require_same(layer, std::as_bytes(out), std::as_bytes(pinned_out.span()));
    return times;
  }

  static void require_same(const LayerShape& layer, std::span<const std::byte> a, std::span<const std::byte> b) {
    if (std::equal(a.begin(), a.end(), b.begin(), b.end())) return;
    throw Error(ErrorCode::device_failure, layer.name + ": the order of copies changed the result");
  }

  Lenet& model_;
  std::int64_t n_;
};

template <class Pixel>
std::vector<float> widened(std::span<const Pixel> pixels) {
  return {pixels.begin(), pixels.end()};
}

}  // namespace

std::vector<LayerTimes> time_layers(Lenet& model, const Images& images, std::int64_t n,
                                    const std::function<void(const std::string&, double)>& progress) {
  std::vector<LayerTimes> times;
  LayerTimer timer(model, n);
  std::visit(
      [&](const auto& all) {
        const auto pixels = std::span(all).first(static_cast<std::size_t>(n * Lenet::image_pixels));
        const std::vector<float> as_floats = widened(pixels);
        progress("timing conv1", 0);
        const auto maps = timer.time<float, float>(
            {"conv1", Lenet::image_pixels, Lenet::conv1_outputs}, as_floats,
            [&](auto in, auto out) { model.conv1(in, out); }, times);
        progress("timing conv2", 0.25);
        const auto features = timer.time<float, float>(
            {"conv2", Lenet::conv1_outputs, Lenet::conv2_outputs}, maps,
            [&](auto in, auto out) { model.conv2(in, out); }, times);
        progress("timing the classifier", 0.5);
        timer.time<float, LenetResult>(
            {"classifier", Lenet::conv2_outputs, 1}, features, [&](auto in, auto out) { model.classify(in, out); },
            times);
        progress("timing the network", 0.75);
        using Pixel = typename std::remove_cvref_t<decltype(all)>::value_type;
        timer.time<Pixel, LenetResult>(
            {"network", Lenet::image_pixels, 1}, pixels, [&](auto in, auto out) { model.run(in, out); }, times);
      },
      images.pixels);
  return times;
}

}  // namespace rafter::classify
