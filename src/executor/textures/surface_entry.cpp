// The C functions that kernels call to read and write a surface: unconverted bytes of an array, x counted in bytes.
#include <algorithm>
#include <cstring>

#include "executor/engine/workers/watchdog.hpp"
#include "executor/engine/workers/worker.hpp"
#include "executor/process/observer.hpp"
#include "executor/textures/object_findings.hpp"

using namespace rafter::simt;

#define RAFTER_SIMT_EXPORT extern "C" __attribute__((visibility("default")))
#define RAFTER_SIMT_HERE __builtin_return_address(0)

namespace {

using rafter_simt::Words;

enum class SurfaceUse : std::uint8_t { read, write };

struct SurfaceAccess {
  int how;
  std::array<int, 3> at;
  SurfaceUse use;
  const void* place;

  TextureShape shape() const { return static_cast<TextureShape>(how & 15); }
  cudaSurfaceBoundaryMode mode() const { return static_cast<cudaSurfaceBoundaryMode>(how >> 4 & 15); }
  std::uint32_t bytes() const { return static_cast<std::uint32_t>(how >> 8); }
};

/// Returns the address of the bytes, or null outside of the surface, where reads return zeros and writes are ignored.
std::byte* locate(unsigned long long number, const SurfaceAccess& access) {
  const TextureObject* const object = find_object(number, TextureObject::Kind::surface, access.shape(), access.place);
  if (!object) return nullptr;
  const Level& level = object->texture.levels[0];
  const std::int64_t bytes = access.bytes();
  const std::array<std::int64_t, 3> most{static_cast<std::int64_t>(level.pitch) - bytes, level.height - 1,
                                         level.depth - 1};
  std::array<std::int64_t, 3> at{access.at[0], access.at[1], access.at[2]};
  for (std::size_t i = 0; i < 3; ++i) {
    if (at[i] >= 0 && at[i] <= most[i]) continue;
    if (access.mode() == cudaBoundaryModeZero) return nullptr;
    if (access.mode() == cudaBoundaryModeClamp && most[i] >= 0) {
      at[i] = std::clamp<std::int64_t>(at[i], 0, most[i]);
      continue;
    }
    const char* const action = access.use == SurfaceUse::write ? "writes" : "reads";
    report_past_surface(level, action, access.bytes(), access.at, access.place);
  }
  return level.base + static_cast<std::size_t>(at[2]) * level.slice + static_cast<std::size_t>(at[1]) * level.pitch +
         static_cast<std::size_t>(at[0]);
}

void notify(std::byte* address, const SurfaceAccess& access) {
  if (watchdog_calls.load(std::memory_order_relaxed)) answer_watchdog(access.place);
  Observer* observer = observing();
  if (!observer || !address) return;
  const bool writes = access.use == SurfaceUse::write;
  const Access seen{address, access.bytes(), writes, !writes, AccessMode::plain, false, access.place};
  writes ? observer->access(seen) : observer->fetched(seen);
}

}  // namespace

RAFTER_SIMT_EXPORT Words rafter_simt_surface_read(unsigned long long number, int how, int x, int y, int z) {
  Words words{};
  if (!is_inside()) return words;
  const SurfaceAccess access{how, {x, y, z}, SurfaceUse::read, RAFTER_SIMT_HERE};
  std::byte* const address = locate(number, access);
  notify(address, access);
  if (address) std::memcpy(&words, address, access.bytes());
  return words;
}

RAFTER_SIMT_EXPORT void rafter_simt_surface_write(unsigned long long number, int how, int x, int y, int z,
                                                  Words value) {
  if (!is_inside()) return;
  const SurfaceAccess access{how, {x, y, z}, SurfaceUse::write, RAFTER_SIMT_HERE};
  std::byte* const address = locate(number, access);
  notify(address, access);
  if (address) std::memcpy(address, &value, access.bytes());
}
