// Copies between host and device memory.
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

#include "executor/api/call.hpp"
#include "executor/api/graphs/capture.hpp"
#include "executor/api/memory/arrays.hpp"
#include "executor/api/memory/copy_call.hpp"
#include "executor/api/memory/extents.hpp"
#include "executor/memory/host_blocks.hpp"
#include "executor/memory/memory.hpp"
#include "executor/process/findings.hpp"
#include "executor/process/options.hpp"
#include "rafter_simt/api/functions.hpp"

using namespace rafter::simt;

namespace {

using Form = CopyCall::Form;

/// Notifies the observer of a copy that crosses the bus. Migration of managed memory is not modelled.
void notify_transfer(const void* to, const void* from, cudaExtent extent, const CopyCall& call) {
  Observer* observer = observing();
  if (!observer) return;
  const auto is_device = [](cudaMemoryType type) { return type == cudaMemoryTypeDevice; };
  const auto is_host = [](cudaMemoryType type) {
    return type == cudaMemoryTypeHost || type == cudaMemoryTypeUnregistered;
  };
  const cudaMemoryType target = memory_type(to), source = memory_type(from);
  const bool to_host = is_host(target) && is_device(source);
  if (!to_host && !(is_device(target) && is_host(source))) return;
  const cudaMemoryType host = to_host ? target : source;
  observer->transferred({to_host ? Transfer::Direction::to_host : Transfer::Direction::to_device,
                         host == cudaMemoryTypeHost ? Transfer::HostMemory::pinned : Transfer::HostMemory::pageable,
                         std::uint64_t{extent.width} * extent.height * extent.depth, call.place});
}

/// Whether the two sides of a copy share a byte. Regions with different pitches are compared by their bounds.
bool overlap(const PitchedRegion& to, const ConstPitchedRegion& from, cudaExtent extent) {
  const auto a = reinterpret_cast<std::intptr_t>(to.start), b = reinterpret_cast<std::intptr_t>(from.start);
  const auto width = static_cast<std::intptr_t>(extent.width), height = static_cast<std::intptr_t>(extent.height);
  if (a == b || width == 0 || height == 0 || extent.depth == 0) return false;  // a copy onto itself changes nothing
  const auto span = [&](std::size_t pitch, std::size_t slice) {
    return static_cast<std::intptr_t>(slice * (extent.depth - 1) + pitch * (extent.height - 1) + extent.width);
  };
  if (a >= b + span(from.pitch, from.slice) || b >= a + span(to.pitch, to.slice)) return false;
  if (height == 1 || extent.depth > 1 || to.pitch != from.pitch) return true;
  const std::intptr_t pitch = static_cast<std::intptr_t>(to.pitch), distance = std::abs(a - b);
  const std::intptr_t rows = distance / pitch, columns = distance % pitch;
  return (rows < height && columns < width) || (rows + 1 < height && pitch - columns < width);
}

void check_overlap(const PitchedRegion& to, const ConstPitchedRegion& from, cudaExtent extent, const CopyCall& call) {
  if (options().mode != Mode::check || !overlap(to, from, extent)) return;
  const auto distance = static_cast<const std::byte*>(from.start) - static_cast<const std::byte*>(to.start);
  std::optional<Target> target;
  if (const Allocation* allocation = memory().find(to.start))
    target = Target{std::string(name(allocation->kind)) + " memory", allocation->bytes,
                    static_cast<const std::byte*>(to.start) - allocation->base, allocation->made_at, nullptr};
  findings().add({Kind::overlapping_copy,
                  Space::none,
                  "",
                  {{std::string("calls ") + call.name, call.place, 0, {}, {}}},
                  std::move(target),
                  "the source begins " + std::to_string(std::abs(distance)) + " bytes " +
                      (distance > 0 ? "after" : "before") + " the destination, and they overlap"});
}

/// Checks the sides of a copy that are host memory.
void check_host_sides(const PitchedRegion& to, const ConstPitchedRegion& from, cudaExtent extent,
                      const CopyCall& call) {
  if (options().mode != Mode::check || extent.width == 0 || extent.height == 0 || extent.depth == 0) return;
  const auto bytes = [&](std::size_t pitch, std::size_t slice) {
    return slice * (extent.depth - 1) + pitch * (extent.height - 1) + extent.width;
  };
  if (!memory().holds(to.start)) check_host_block(to.start, bytes(to.pitch, to.slice), true, call.place);
  if (!memory().holds(from.start)) check_host_block(from.start, bytes(from.pitch, from.slice), false, call.place);
}

/// Returns the copy as the parameters of its graph node.
cudaMemcpy3DParms parameters_of(const PitchedRegion& to, const ConstPitchedRegion& from, cudaExtent extent,
                                cudaMemcpyKind kind) {
  const auto pitched = [&](const void* start, std::size_t pitch, std::size_t slice) {
    return make_cudaPitchedPtr(const_cast<void*>(start), pitch, extent.width, pitch == 0 ? 0 : slice / pitch);
  };
  return {nullptr, {},  pitched(from.start, from.pitch, from.slice), nullptr, {}, pitched(to.start, to.pitch, to.slice),
          extent,  kind};
}

}  // namespace

cudaError_t rafter::simt::copy(PitchedRegion to, ConstPitchedRegion from, cudaExtent extent, cudaMemcpyKind kind,
                               const CopyCall& call) {
  if (!streams().known(call.stream)) return cudaErrorInvalidResourceHandle;
  const auto node = [&] {
    const auto run = [=](const CopyCall& again) { return copy(to, from, extent, kind, again); };
    return CopyNode{cudaGraphNodeTypeMemcpy, parameters_of(to, from, extent, kind), run};
  };
  if (const auto result = captured(call, node)) return *result;
  check_overlap(to, from, extent, call);
  check_host_sides(to, from, extent, call);
  const CopyTask task(call, observed_type(to.start), observed_type(from.start));
  const cudaError_t error = copy_region(to, from, extent, kind, call.place);
  if (error == cudaSuccess) notify_transfer(to.start, from.start, extent, call);
  return error;
}

namespace {

cudaError_t copy_bytes(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, const CopyCall& call) {
  const PitchedRegion whole{.start = to, .pitch = bytes, .slice = bytes};
  const ConstPitchedRegion source{.start = from, .pitch = bytes, .slice = bytes};
  return copy(whole, source, {bytes, 1, 1}, kind, call);
}

cudaError_t copy_rows(PitchedRegion to, ConstPitchedRegion from, std::size_t width, std::size_t height,
                      cudaMemcpyKind kind, const CopyCall& call) {
  if (width > to.pitch || width > from.pitch) return cudaErrorInvalidPitchValue;
  return copy(to, from, {width, height, 1}, kind, call);
}

/// Finds the region of a 3-D copy. Returns false if its rows or slices would overlap the next ones.
bool locate(const cudaPitchedPtr& memory, cudaPos at, cudaExtent extent, ConstPitchedRegion* region) {
  const std::size_t slice = memory.pitch * memory.ysize;
  if (at.x > memory.pitch || extent.width > memory.pitch - at.x) return false;
  if (extent.depth > 1 && (at.y > memory.ysize || extent.height > memory.ysize - at.y)) return false;
  *region = {.start = static_cast<const std::byte*>(memory.ptr) + at.z * slice + at.y * memory.pitch + at.x,
             .pitch = memory.pitch,
             .slice = slice};
  return true;
}

/// One side of a 3-D copy: an array, with x in texels, or pitched memory, with x in bytes.
struct Side3D {
  cudaArray_const_t array;
  const cudaPitchedPtr& memory;
  cudaPos at;
};

cudaError_t locate(const Side3D& side, cudaExtent bytes, ConstPitchedRegion* region) {
  if (side.array == nullptr)
    return locate(side.memory, side.at, bytes, region) ? cudaSuccess : cudaErrorInvalidPitchValue;
  const cudaArray& array = *arrays().find(side.array);
  PitchedRegion found{};
  if (!region_of(array, {side.at.x * array.format.bytes(), side.at.y, side.at.z}, bytes, &found))
    return cudaErrorInvalidValue;
  *region = {found.start, found.pitch, found.slice};
  return cudaSuccess;
}

/// Returns the unit of a copy's width: a texel if an array is involved, else a byte. Returns 0 for invalid arrays, or
/// arrays with texels of different sizes.
std::size_t unit_bytes(const Side3D& from, const Side3D& to) {
  std::size_t bytes = 0;
  for (const Side3D* side : {&from, &to}) {
    if (side->array == nullptr) continue;
    const cudaArray* const array = arrays().find(side->array);
    if (array == nullptr || (bytes != 0 && bytes != array->format.bytes())) return 0;
    bytes = array->format.bytes();
  }
  return bytes == 0 ? 1 : bytes;
}

cudaError_t copy_volume(const cudaMemcpy3DParms* parameters, const CopyCall& call) {
  if (parameters == nullptr) return cudaErrorInvalidValue;
  const cudaMemcpy3DParms& p = *parameters;
  const Side3D source{p.srcArray, p.srcPtr, p.srcPos}, target{p.dstArray, p.dstPtr, p.dstPos};
  for (const Side3D* side : {&source, &target}) {
    if ((side->array == nullptr) == (side->memory.ptr == nullptr)) return cudaErrorInvalidValue;
  }
  const std::size_t unit = unit_bytes(source, target);
  if (unit == 0) return cudaErrorInvalidValue;
  const cudaExtent bytes{p.extent.width * unit, p.extent.height, p.extent.depth};
  ConstPitchedRegion from{}, to{};
  for (const auto& [side, region] : {std::pair{&source, &from}, std::pair{&target, &to}}) {
    if (const cudaError_t error = locate(*side, bytes, region); error != cudaSuccess) return error;
  }
  return copy({const_cast<void*>(to.start), to.pitch, to.slice}, from, bytes, p.kind, call);
}

cudaError_t copy_between_devices(void* to, int to_device, const void* from, int from_device, std::size_t bytes,
                                 const CopyCall& call) {
  if (to_device != 0 || from_device != 0) return cudaErrorInvalidDevice;
  return copy_bytes(to, from, bytes, cudaMemcpyDeviceToDevice, call);
}

}  // namespace

cudaError_t rafter::simt::enqueue_copy(const cudaMemcpy3DParms& copy, const char* name, const void* site) {
  return copy_volume(&copy, {name, Form::asynchronous, nullptr, site});
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  const CopyCall as{"cudaMemcpy", Form::synchronous, nullptr, __builtin_return_address(0)};
  return call([&] { return copy_bytes(to, from, bytes, kind, as); });
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  const CopyCall as{"cudaMemcpyAsync", Form::asynchronous, stream, __builtin_return_address(0)};
  return call([&] { return copy_bytes(to, from, bytes, kind, as); });
}

cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, std::size_t bytes) {
  const CopyCall as{"cudaMemcpyPeer", Form::synchronous, nullptr, __builtin_return_address(0)};
  return call([&] { return copy_between_devices(to, to_device, from, from_device, bytes, as); });
}

cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, std::size_t bytes,
                                cudaStream_t stream) {
  const CopyCall as{"cudaMemcpyPeerAsync", Form::asynchronous, stream, __builtin_return_address(0)};
  return call([&] { return copy_between_devices(to, to_device, from, from_device, bytes, as); });
}

cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                         std::size_t height, cudaMemcpyKind kind) {
  const CopyCall as{"cudaMemcpy2D", Form::synchronous, nullptr, __builtin_return_address(0)};
  return call([&] { return copy_rows({to, to_pitch, 0}, {from, from_pitch, 0}, width, height, kind, as); });
}

cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                              std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  const CopyCall as{"cudaMemcpy2DAsync", Form::asynchronous, stream, __builtin_return_address(0)};
  return call([&] { return copy_rows({to, to_pitch, 0}, {from, from_pitch, 0}, width, height, kind, as); });
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* copy) {
  const CopyCall as{"cudaMemcpy3D", Form::synchronous, nullptr, __builtin_return_address(0)};
  return call([&] { return copy_volume(copy, as); });
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* copy, cudaStream_t stream) {
  const CopyCall as{"cudaMemcpy3DAsync", Form::asynchronous, stream, __builtin_return_address(0)};
  return call([&] { return copy_volume(copy, as); });
}
