// onednn: Intel's oneDNN, with layouts and algorithm of its own choice. The copies to its layouts, where needed, are
// part of the time.
#ifdef RAFTER_WITH_ONEDNN
#include <oneapi/dnnl/dnnl.hpp>

#include "conv/conv_rung.hpp"

namespace rafter::conv_ladder::cpu {

namespace {

/// Returns the tensor in the layout that oneDNN requires: the tensor itself, or a copy.
dnnl::memory in_layout(dnnl::stream& stream, const dnnl::engine& engine, const dnnl::memory& plain,
                       const dnnl::memory::desc& wanted) {
  if (plain.get_desc() == wanted) return plain;
  dnnl::memory copy(wanted, engine);
  dnnl::reorder(plain, copy).execute(stream, const_cast<dnnl::memory&>(plain), copy);
  return copy;
}

}  // namespace

extern const ConvRung onednn{
    []<class T>(const Stream&, ConvArgs<T> args) requires std::is_same_v<T, float>{using Memory = dnnl::memory;
using Tag = Memory::format_tag;
constexpr auto f32 = Memory::data_type::f32;
require_plain(args, ConvPrecision::fp32);
if (args.out_elements() == 0) return;
const ConvShape& s = args.shape;
static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
dnnl::stream stream(engine);
const Memory::dims in{s.batch, s.channels, s.height, s.width};
const Memory::dims weights{s.maps, s.channels, s.kernel_height, s.kernel_width};
const Memory::dims out{s.batch, s.maps, s.out_height(), s.out_width()};
const Memory::dims pad{s.pad_height, s.pad_width};
const dnnl::convolution_forward::desc what(dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_auto,
                                           {in, f32, Tag::any}, {weights, f32, Tag::any}, {out, f32, Tag::any}, {1, 1},
                                           pad, pad);
const dnnl::convolution_forward::primitive_desc plan(what, engine);
const Memory plain_in({in, f32, Tag::nchw}, engine, const_cast<T*>(args.in));
const Memory plain_weights({weights, f32, Tag::oihw}, engine, const_cast<T*>(args.kernels));
Memory plain_out({out, f32, Tag::nchw}, engine, args.out);
const Memory its_in = in_layout(stream, engine, plain_in, plan.src_desc());
const Memory its_weights = in_layout(stream, engine, plain_weights, plan.weights_desc());
const bool is_plain = plan.dst_desc() == plain_out.get_desc();
Memory its_out = is_plain ? plain_out : Memory(plan.dst_desc(), engine);
dnnl::convolution_forward(plan).execute(stream, {{DNNL_ARG_SRC, its_in},
                                                 {DNNL_ARG_WEIGHTS, its_weights},
                                                 {DNNL_ARG_DST, its_out}});
if (!is_plain) dnnl::reorder(its_out, plain_out).execute(stream, its_out, plain_out);
stream.wait();
}  // namespace rafter::conv_ladder::cpu
}
;

}  // namespace rafter::conv_ladder::cpu
#endif
