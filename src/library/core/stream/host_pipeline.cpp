// Three slots on the device are used in rotation. In each, a chunk is copied in, processed and copied out, by three
// streams that wait for each other's events.
//
//   copies in   waits until the op has read the slot's previous chunk, then fills it            -> landed
//   the op      waits for `landed`, and until the slot's previous outputs were copied out       -> done
//   copies out  waits for `done`                                                                -> left
#include "rafter/host_pipeline.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "library/core/arguments.hpp"
#include "library/core/arithmetic.hpp"
#include "library/core/error_origin.hpp"
#include "library/core/parts.hpp"
#include "library/core/stream/backend.hpp"
#include "library/core/stream/op_scope.hpp"
#include "rafter/buffer.hpp"
#include "rafter/error.hpp"

namespace rafter::inline v1::detail {

void* allocate_pinned(const Stream& stream, std::int64_t count, std::int64_t element_bytes) {
  if (count < 0 || count > std::numeric_limits<std::int64_t>::max() / element_bytes) {
    throw Error(ErrorCode::bad_argument,
                "PinnedBuffer: the number of elements must be 0 or more and fit in memory, is " + std::to_string(count),
                "PinnedBuffer", "size");
  }
  if (count == 0) return nullptr;
  return core::in_op("PinnedBuffer", "size", [&] {
    core::Backend& backend = core::backend(stream.device());
    const core::DeviceGuard device(backend, stream.ordinal());
    return backend.allocate_host(count * element_bytes);
  });
}

void deallocate_pinned(const Stream& stream, void* memory) noexcept {
  if (memory != nullptr) core::built_backend(stream.device())->deallocate_host(memory);
}

namespace {

/// An event of a stream.
class Event {
 public:
  explicit Event(core::Backend& backend) : backend_(&backend), event_(backend.create_event()) {}
  Event(Event&& other) noexcept : backend_(other.backend_), event_(std::exchange(other.event_, nullptr)) {}
  ~Event() {
    if (event_ != nullptr) backend_->destroy_event(event_);
  }
  void record(const Stream& stream) const { backend_->record_event(event_, stream.handle()); }
  void hold_back(const Stream& stream) const { backend_->wait_for_event(stream.handle(), event_); }
  void wait() const { backend_->synchronize_event(event_); }

 private:
  core::Backend* backend_;
  CUevent_st* event_;
};

struct Slot {
  Buffer<std::byte> in, out;  // on the device
  Event landed, done, left;

  Slot(const Stream& stream, core::Backend& backend, const BytePipeline::Shape& shape)
      : in(stream, shape.items * shape.in_bytes),
        out(stream, shape.items * shape.out_bytes),
        landed(backend),
        done(backend),
        left(backend) {}
};

/// Copies with several threads: a single thread is slower than the link to a GPU.
void copy_on_host(std::byte* to, const std::byte* from, std::int64_t bytes) {
  constexpr std::int64_t block = 1 << 20;
  const int n_threads =
      static_cast<int>(std::clamp<std::int64_t>(bytes / block, 1, std::min(8, core::default_threads())));
  core::for_parts(n_threads, bytes, [&](std::int64_t first, std::int64_t last) {
    std::memcpy(to + first, from + first, static_cast<std::size_t>(last - first));
  });
}

BytePipeline::Shape checked(const BytePipeline::Shape& shape) {
  constexpr std::int64_t most = std::int64_t{1} << 50;
  for (const auto& [name, value] :
       {std::pair("in_elements", shape.in_bytes), {"out_elements", shape.out_bytes}, {"items", shape.items}}) {
    if (value < 1) core::refuse("HostPipeline", name, "must be 1 or more");
  }
  if (std::max(shape.in_bytes, shape.out_bytes) > most / shape.items)
    core::refuse("HostPipeline", "items", "has more bytes than 64 bits can count: " + std::to_string(shape.items));
  return shape;
}

}  // namespace

/// The chunks in flight, for a device with its own memory.
class BytePipeline::Pieces {
 public:
  Pieces(const Stream& stream, const Shape& shape)
      : backend_(core::backend(stream.device())),
        op_stream_(stream),
        in_stream_(Stream::on(stream.device(), stream.ordinal())),
        out_stream_(Stream::on(stream.device(), stream.ordinal())),
        shape_(shape) {
    const core::DeviceGuard device(backend_, stream.ordinal());
    for (int i = 0; i < n_slots; ++i) slots_.emplace_back(stream, backend_, shape);
  }

  void run(std::span<const std::byte> in, std::span<std::byte> out, const Op& op) {
    const core::DeviceGuard device(backend_, op_stream_.ordinal());
    const Idle afterwards{*this};
    in_ = in;
    out_ = out;
    n_items_ = std::ssize(in) / shape_.in_bytes;
    stages_in_ = !backend_.is_pinned(in.data(), std::ssize(in));
    stages_out_ = !backend_.is_pinned(out.data(), std::ssize(out));
    if (stages_in_) make_staging(staged_in_, shape_.in_bytes);
    if (stages_out_) make_staging(staged_out_, shape_.out_bytes);
    const std::int64_t n_pieces = ceil_div(n_items_, shape_.items);
    for (std::int64_t piece = 0; piece < n_pieces + n_slots; ++piece) {
      if (stages_out_ && piece >= n_slots) collect(piece - n_slots);
      if (piece >= n_pieces) continue;
      copy_in(piece);
      work(piece, op);
      copy_out(piece);
    }
    out_stream_.synchronize();
  }

 private:
  static constexpr int n_slots = 3;
  using Staging = std::vector<PinnedBuffer<std::byte>>;

  /// Waits for all work when a run ends, also by an exception, so that none accesses the caller's arrays afterwards.
  struct Idle {
    Pieces& pieces;
    ~Idle() {
      for (const Stream* stream : {&pieces.in_stream_, &pieces.op_stream_, &pieces.out_stream_}) {
        try {
          stream->synchronize();
        } catch (const Error&) {  // the run has already thrown it, or the next call will
        }
      }
    }
  };

  void make_staging(Staging& staging, std::int64_t item_bytes) {
    while (staging.size() < n_slots) staging.emplace_back(op_stream_, shape_.items * item_bytes);
  }

  std::int64_t items_of(std::int64_t piece) const { return std::min(shape_.items, n_items_ - piece * shape_.items); }
  Slot& slot_of(std::int64_t piece) { return slots_[static_cast<std::size_t>(piece % n_slots)]; }
  static std::byte* staged(Staging& staging, std::int64_t piece) {
    return staging[static_cast<std::size_t>(piece % n_slots)].data();
  }

  void copy_in(std::int64_t piece) {
    Slot& slot = slot_of(piece);
    const std::byte* from = in_.data() + piece * shape_.items * shape_.in_bytes;
    const std::int64_t bytes = items_of(piece) * shape_.in_bytes;
    if (stages_in_) {
      slot.landed.wait();  // the slot's previous chunk has left the staging memory
      copy_on_host(staged(staged_in_, piece), from, bytes);
      from = staged(staged_in_, piece);
    }
    slot.done.hold_back(in_stream_);
    backend_.start_copy_in(in_stream_.handle(), slot.in.data(), from, bytes);
    slot.landed.record(in_stream_);
  }

  void work(std::int64_t piece, const Op& op) {
    Slot& slot = slot_of(piece);
    slot.landed.hold_back(op_stream_);
    slot.left.hold_back(op_stream_);
    op(slot.in.data(), slot.out.data(), items_of(piece));
    slot.done.record(op_stream_);
  }

  void copy_out(std::int64_t piece) {
    Slot& slot = slot_of(piece);
    std::byte* to = stages_out_ ? staged(staged_out_, piece) : out_of(piece);
    slot.done.hold_back(out_stream_);
    backend_.start_copy_out(out_stream_.handle(), to, slot.out.data(), items_of(piece) * shape_.out_bytes);
    slot.left.record(out_stream_);
  }

  std::byte* out_of(std::int64_t piece) const { return out_.data() + piece * shape_.items * shape_.out_bytes; }

  /// Copies a chunk from the staging memory to the output, if it exists.
  void collect(std::int64_t piece) {
    if (piece * shape_.items >= n_items_) return;
    slot_of(piece).left.wait();
    copy_on_host(out_of(piece), staged(staged_out_, piece), items_of(piece) * shape_.out_bytes);
  }

  core::Backend& backend_;
  Stream op_stream_, in_stream_, out_stream_;
  Shape shape_;
  std::vector<Slot> slots_;
  Staging staged_in_, staged_out_;  // allocated on first use

  // The current run.
  std::span<const std::byte> in_;
  std::span<std::byte> out_;
  std::int64_t n_items_ = 0;
  bool stages_in_ = false, stages_out_ = false;
};

BytePipeline::BytePipeline(const Stream& stream, const Shape& shape)
    : stream_(stream),
      shape_(checked(shape)),
      pieces_(stream.device() == Device::cpu ? nullptr : std::make_unique<Pieces>(stream, shape)) {}
BytePipeline::~BytePipeline() = default;
BytePipeline::BytePipeline(BytePipeline&&) noexcept = default;

void BytePipeline::run(std::span<const std::byte> in, std::span<std::byte> out, const Op& op) {
  constexpr const char* name = "HostPipeline::run";
  const std::int64_t n_items = std::ssize(in) / shape_.in_bytes;
  if (std::ssize(in) % shape_.in_bytes != 0) {
    core::refuse(
        name, "in",
        "should have " + std::to_string(shape_.in_bytes) + " bytes per item, has " + std::to_string(in.size()));
  }
  if (std::ssize(out) != n_items * shape_.out_bytes) {
    core::refuse(name, "out",
                 "should have " + std::to_string(n_items * shape_.out_bytes) + " bytes, for " +
                     std::to_string(n_items) + " items, has " + std::to_string(out.size()));
  }
  core::require_host_array(name, "in", in);
  core::require_host_array(name, "out", out);
  core::require_disjoint(name, "in", in, "out", out);
  if (n_items == 0) return;
  pieces_ != nullptr ? pieces_->run(in, out, op) : op(in.data(), out.data(), n_items);
}

}  // namespace rafter::inline v1::detail
