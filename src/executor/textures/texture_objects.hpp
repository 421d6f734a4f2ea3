// The process's texture and surface objects, by the numbers that programs know them by.
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
  Texture texture;  // of a surface: one level, and nothing of `how`
  cudaResourceDesc resource;
  const void* made_at;
  bool may_be_surface;  // its array was made for that; GPUs do not ask
  std::atomic<const void*> destroyed_at = nullptr;
};

class TextureObjects {
 public:
  /// Its number, which is never given again; 0: there are too many.
  unsigned long long add(std::unique_ptr<TextureObject> object);
  /// Also one that was destroyed; nullptr: no object ever had this number.
  TextureObject* find(unsigned long long number) const {
    const unsigned long long index = number - first_number;
    if (index >= n_.load(std::memory_order_acquire)) return nullptr;
    return (*chunks_[index / chunk_size])[index % chunk_size].get();
  }

 private:
  static constexpr unsigned long long first_number = 0x7e78'0000'0000'0001;  // unlike what programs make up
  static constexpr std::size_t chunk_size = 1024;
  using Chunk = std::array<std::unique_ptr<TextureObject>, chunk_size>;

  std::mutex mutex_;
  std::atomic<unsigned long long> n_ = 0;
  std::array<std::unique_ptr<Chunk>, 1024> chunks_;  // which never move: kernels look without the lock
};

TextureObjects& texture_objects();

}  // namespace rafter::simt
