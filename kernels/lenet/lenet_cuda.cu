// The layers on a GPU: conv's own, bytes made floats, and the classifier in tiles of as many images as leave every
// multiprocessor something to do.
#include "lenet/cuda/lenet_classifier.cuh"

namespace rafter {

namespace conv_ladder::RAFTER_BACKEND {
extern const ConvRung by_shape;
}

namespace lenet::RAFTER_BACKEND {

namespace {

constexpr int widen_threads = 256;

/// Four bytes a thread; the last ones, and all from addresses that are no multiple of 4, one by one.
__global__ void widen_bytes(const std::uint8_t* bytes, std::int64_t n, float* out) {
  const std::int64_t i = (std::int64_t{blockIdx.x} * widen_threads + threadIdx.x) * 4;
  if (i + 4 <= n && reinterpret_cast<std::uintptr_t>(bytes) % 4 == 0) {
    const uchar4 four = *reinterpret_cast<const uchar4*>(bytes + i);
    *reinterpret_cast<float4*>(out + i) = make_float4(four.x, four.y, four.z, four.w);
  } else {
    for (std::int64_t k = i; k < min(i + 4, n); ++k) out[k] = bytes[k];
  }
}

void widen(const Stream& stream, const std::uint8_t* bytes, std::int64_t n, float* out) {
  core::launch(widen_bytes, ceil_div(n, 4 * widen_threads), widen_threads, 0, stream, bytes, n, out);
}

void classify(const Stream& stream, const ClassifierArgs& args) {
  const auto fills = [&](int images) { return args.n >= std::int64_t{images} * stream.n_multiprocessors(); };
  if (fills(64)) return classify_tiles<32>(stream, args);
  if (fills(16)) return classify_tiles<16>(stream, args);
  classify_tiles<8>(stream, args);
}

}  // namespace

template void classify_tiles<8>(const Stream&, const ClassifierArgs&);
template void classify_tiles<16>(const Stream&, const ClassifierArgs&);
template void classify_tiles<32>(const Stream&, const ClassifierArgs&);

extern const Layers layers{conv_ladder::RAFTER_BACKEND::by_shape, widen, classify};

}  // namespace lenet::RAFTER_BACKEND
}  // namespace rafter
