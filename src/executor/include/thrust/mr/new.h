// Shadows Thrust's header of this name: the memory of device vectors, which Thrust's C++ backend accesses from the host
// and kernels access too, is managed memory.
#pragma once

#define new_delete_resource host_new_delete_resource
#include_next <thrust/mr/new.h>
#undef new_delete_resource

#include <new>

#include "rafter_simt/api/runtime_api.hpp"

THRUST_NAMESPACE_BEGIN
namespace mr {

class new_delete_resource final : public memory_resource<> {
 public:
  void* do_allocate(std::size_t bytes, std::size_t) override {
    void* memory = nullptr;
    if (cudaMallocManaged(&memory, bytes == 0 ? 1 : bytes) != cudaSuccess) throw std::bad_alloc();
    return memory;
  }
  void do_deallocate(void* memory, std::size_t, std::size_t) override { cudaFree(memory); }
};

}  // namespace mr
THRUST_NAMESPACE_END
