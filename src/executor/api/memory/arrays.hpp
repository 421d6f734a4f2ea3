// CUDA arrays: texels in device memory with an opaque layout. Rows are contiguous, without padding, and so are slices,
// layers and faces.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "executor/api/memory/pitched_regions.hpp"
#include "executor/textures/texture.hpp"
#include "rafter_simt/api/textures.hpp"

struct cudaArray {
  cudaChannelFormatDesc description;
  cudaExtent extent;  // as the program gave it: zero for missing axes
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
  /// Returns the array of a handle, or null. A freed array is returned, too, so that the checkers report the access to
  /// its memory.
  cudaArray* find(cudaArray_const_t array) const;
  cudaMipmappedArray* find(cudaMipmappedArray_const_t array) const;

 private:
  mutable std::mutex mutex_;
  std::map<cudaArray_const_t, std::unique_ptr<cudaArray>> all_;
  std::map<cudaMipmappedArray_const_t, std::unique_ptr<cudaMipmappedArray>> mipmapped_;
};

Arrays& arrays();

/// Finds the region that begins at byte x of row y of slice z. Returns false if it exceeds the array.
bool region_of(const cudaArray& array, cudaPos at, cudaExtent extent, PitchedRegion* region);

}  // namespace rafter::simt
