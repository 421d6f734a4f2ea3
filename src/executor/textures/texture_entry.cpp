// The C functions that kernels call to fetch from a texture.
#include <bit>

#include "executor/engine/workers/watchdog.hpp"
#include "executor/engine/workers/worker.hpp"
#include "executor/process/observer.hpp"
#include "executor/process/options.hpp"
#include "executor/textures/object_findings.hpp"
#include "executor/textures/taps.hpp"

using namespace rafter::simt;

#define RAFTER_SIMT_EXPORT extern "C" __attribute__((visibility("default")))
#define RAFTER_SIMT_HERE __builtin_return_address(0)

namespace {

using rafter_simt::FetchKind;
using rafter_simt::Words;

struct Fetch {
  int how;
  const void* place;

  TextureShape shape() const { return static_cast<TextureShape>(how & 15); }
  FetchKind kind() const { return static_cast<FetchKind>(how >> 4 & 15); }
  bool wants_floats() const { return (how & rafter_simt::fetch_wants_float) != 0; }
};

/// Tells the observer that the running thread reads the texels.
void notify(const Texture& texture, const Taps& taps, const void* place) {
  if (watchdog_calls.load(std::memory_order_relaxed)) answer_watchdog(place);
  Observer* observer = observing();
  if (!observer) return;
  for (const Tap& tap : taps) {
    if (!tap.texel) continue;
    observer->fetched(
        {const_cast<std::byte*>(tap.texel), texture.format.bytes(), false, true, AccessMode::plain, false, place});
  }
}

/// Returns the texture of a handle, or null.
const Texture* texture_of(unsigned long long number, const Fetch& fetch) {
  const TextureObject* const object = find_object(number, TextureObject::Kind::texture, fetch.shape(), fetch.place);
  if (!object) return nullptr;
  const Texture& texture = object->texture;
  // Reinterpreting 32-bit texels is legitimate: doubles are fetched as pairs of integers.
  const bool is_raw = texture.format.bits == 32 && !texture.is_normalized();
  if (texture.gives_floats() != fetch.wants_floats() && !is_raw && observing())
    report_other_texels(texture, fetch.place);
  return &texture;
}

Words blended(const Texture& texture, const Taps& taps) {
  Components all{};
  blend(texture, taps, all);
  return Words{all[0], all[1], all[2], all[3]};
}

Words fetch_linear(const Texture& texture, int index, const void* place) {
  const Level& level = texture.levels[0];
  Taps taps;
  if (index < 0 || index >= level.width) {
    note_past_linear(texture, index, place);
    return Words{};
  }
  taps.all[taps.n++] = {level.base + static_cast<std::size_t>(index) * texture.format.bytes(), 1};
  notify(texture, taps, place);
  return blended(texture, taps);
}

Words fetch_level(const Texture& texture, const TexturePoint& point, float level, const void* place) {
  const Taps taps = taps_of(texture, point, level);
  notify(texture, taps, place);
  return blended(texture, taps);
}

}  // namespace

RAFTER_SIMT_EXPORT Words rafter_simt_fetch(unsigned long long number, int how, float x, float y, float z, int index,
                                           float level) {
  const Fetch fetch{how, RAFTER_SIMT_HERE};
  const Texture* const found = is_inside() ? texture_of(number, fetch) : nullptr;
  if (!found) return Words{};
  const Texture& texture = *found;
  if (fetch.shape() == TextureShape::linear) return fetch_linear(texture, index, fetch.place);
  const TexturePoint point{x, y, z, index};
  if (fetch.kind() == FetchKind::gather) {
    const Taps taps = gather_taps_of(texture, point);
    notify(texture, taps, fetch.place);
    Components all{};
    gather(texture, taps, index, all);
    return Words{all[0], all[1], all[2], all[3]};
  }
  return fetch_level(texture, point, level, fetch.place);
}

RAFTER_SIMT_EXPORT Words rafter_simt_fetch_gradient(unsigned long long number, int how, float x, float y, float z,
                                                    int layer, float x_by_x, float y_by_x, float z_by_x, float x_by_y,
                                                    float y_by_y, float z_by_y) {
  const Fetch fetch{how, RAFTER_SIMT_HERE};
  const Texture* const found = is_inside() ? texture_of(number, fetch) : nullptr;
  if (!found) return Words{};
  const Texture& texture = *found;
  const float level = level_of(texture, {x_by_x, y_by_x, z_by_x}, {x_by_y, y_by_y, z_by_y});
  return fetch_level(texture, {x, y, z, layer}, level, fetch.place);
}
