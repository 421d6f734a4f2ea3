#include "library/core/stream/backend.hpp"

#include <utility>

#include "rafter/error.hpp"

namespace rafter {

void v1::set_memory_resource(Device device, std::shared_ptr<MemoryResource> resource) {
  core::backend(device).set_memory_resource(std::move(resource));
}

}  // namespace rafter

namespace rafter::core {

namespace {

Backend* simt_backend = nullptr;

class DeviceMemory final : public MemoryResource {
 public:
  explicit DeviceMemory(Backend& backend) : backend_(backend) {}
  void* allocate(std::int64_t bytes, CUstream_st*) override { return backend_.allocate(bytes); }
  void deallocate(void* memory, std::int64_t, CUstream_st*) noexcept override { backend_.deallocate(memory); }

 private:
  Backend& backend_;
};

}  // namespace

std::shared_ptr<MemoryResource> Backend::program_resource() {
  const std::lock_guard lock(mutex_);
  return resource_;
}

void Backend::set_memory_resource(std::shared_ptr<MemoryResource> resource) {
  const std::lock_guard lock(mutex_);
  std::swap(resource_, resource);
}

std::shared_ptr<MemoryResource> Backend::own_memory_resource() { return std::make_shared<DeviceMemory>(*this); }

void set_simt_backend(Backend& backend) noexcept { simt_backend = &backend; }

Backend* built_backend(Device device) noexcept {
  switch (device) {
    case Device::cpu: return &cpu_backend();
    case Device::cuda:
#ifdef RAFTER_WITH_CUDA
      return &cuda_backend();
#else
      return nullptr;
#endif
    case Device::simt: return simt_backend;
  }
  return nullptr;
}

Backend& backend(Device device) {
  if (auto reason = why_unavailable(device)) throw Error(ErrorCode::unsupported, *reason, {}, "device");
  return *built_backend(device);
}

}  // namespace rafter::core
