#include "executor/textures/texture_objects.hpp"

namespace rafter::simt {

TextureObjects& texture_objects() {
  static TextureObjects& all = *new TextureObjects;  // outlives the program's own static objects
  return all;
}

unsigned long long TextureObjects::add(std::unique_ptr<TextureObject> object) {
  const std::lock_guard lock(mutex_);
  const unsigned long long index = n_.load(std::memory_order_relaxed);
  if (index / chunk_size >= chunks_.size()) return 0;
  std::unique_ptr<Chunk>& chunk = chunks_[index / chunk_size];
  if (!chunk) chunk = std::make_unique<Chunk>();
  (*chunk)[index % chunk_size] = std::move(object);
  n_.store(index + 1, std::memory_order_release);
  return first_number + index;
}

}  // namespace rafter::simt
