#include "core/backend.hpp"

#include "rafter/error.hpp"

namespace rafter::core {

namespace {
Backend* simt_backend = nullptr;
}

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
  if (auto reason = why_unavailable(device)) throw Error(ErrorCode::unsupported, *reason);
  return *built_backend(device);
}

}  // namespace rafter::core
