// CUDA arrays: texels in device memory whose layout is nobody's business but ours. Rows follow each other without gaps,
// and so do slices, layers and faces.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "executor/api/memory/boxes.hpp"
#include "executor/textures/texture.hpp"
#include "rafter_simt/api/textures.hpp"

struct cudaArray {
  cudaChannelFormatDesc description;
  cudaExtent extent;  // as the program gave it: zeros for axes that it lacks
  unsigned flags;
  rafter::simt::TextureShape shape{};
  rafter::simt::TexelFormat format{};
  rafter::simt::Level level{};
  bool is_part = false;  // a level of a mipmapped array, which owns it
  bool live = false;
};

struct cudaMipmappedArray {
  std::vector<std::unique_ptr<cudaArray>> levels{};
  bool live = false;
};

namespace rafter::simt {

class Arrays {
 public:
  cudaArray_t add(std::unique_ptr<cudaArray> array);
  cudaMipmappedArray_t add(std::unique_ptr<cudaMipmappedArray> array);
  /// One that there is or was, so that using a freed one is found where its memory is touched; else nullptr.
  cudaArray* find(cudaArray_const_t array) const;
  cudaMipmappedArray* find(cudaMipmappedArray_const_t array) const;

 private:
  mutable std::mutex mutex_;
  std::map<cudaArray_const_t, std::unique_ptr<cudaArray>> all_;
  std::map<cudaMipmappedArray_const_t, std::unique_ptr<cudaMipmappedArray>> mipmapped_;
};

Arrays& arrays();

/// From byte x of row y of slice z on; false when the box leaves the array.
bool box_of(const cudaArray& array, cudaPos at, cudaExtent extent, Box* box);

}  // namespace rafter::simt
