// The texture and surface objects of the process, by their handles.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>

#include "executor/textures/texture.hpp"

namespace rafter::simt {

struct TextureObject {
  enum class Kind : std::uint8_t { texture, surface };

  Kind kind;
  Texture texture;  // for a surface: one level; `how` is not used
  cudaResourceDesc resource;
  const void* made_at;
  bool may_be_surface;  // whether its array allows surface accesses; GPUs do not check that
  std::atomic<const void*> destroyed_at = nullptr;
};

class TextureObjects {
 public:
  /// Adds an object and returns its handle, which is never reused; 0 when there are too many.
  unsigned long long add(std::unique_ptr<TextureObject> object);
  /// Returns the object of a handle, even if it was destroyed; null if the handle was never used.
  TextureObject* find(unsigned long long number) const {
    const unsigned long long index = number - first_number;
    if (index >= n_.load(std::memory_order_acquire)) return nullptr;
    return (*chunks_[index / chunk_size])[index % chunk_size].get();
  }

 private:
  static constexpr unsigned long long first_number = 0x7e78'0000'0000'0001;  // unlikely in programs that invent handles
  static constexpr std::size_t chunk_size = 1024;
  using Chunk = std::array<std::unique_ptr<TextureObject>, chunk_size>;

  std::mutex mutex_;
  std::atomic<unsigned long long> n_ = 0;
  std::array<std::unique_ptr<Chunk>, 1024> chunks_;  // chunks never move: kernels read them without the lock
};

TextureObjects& texture_objects();

}  // namespace rafter::simt
