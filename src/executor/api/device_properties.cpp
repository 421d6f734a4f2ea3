#include "executor/api/device_properties.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "executor/memory/memory.hpp"
#include "executor/process/options.hpp"

namespace rafter::simt {
namespace {

int multiprocessors() {
  const char* const asked = std::getenv("RAFTER_SIMT_MULTIPROCESSORS");
  const int number = asked == nullptr ? 0 : std::atoi(asked);
  return number > 0
             ? std::min(number, 1024)
             : 16;  // the same on every machine; a program that divides it by up to 16 still gets at least one block
}

void set_identity(cudaDeviceProp& p) {
  std::strcpy(p.name, "Rafter executor (CPU)");
  std::memcpy(p.uuid.bytes, "rafter executor", sizeof p.uuid.bytes);
  p.major = options().capability / 10;
  p.minor = options().capability % 10;
  p.clusterLaunch = options().capability >= 90;
  p.pciDomainID = p.pciBusID = p.pciDeviceID = 0;
  p.computeMode = cudaComputeModeDefault;
  p.hostNumaId = -1;
  p.deviceNumaId = -1;
}

void set_threads(cudaDeviceProp& p) {
  p.multiProcessorCount = multiprocessors();
  p.warpSize = 32;
  p.maxThreadsPerBlock = 1024;
  p.maxThreadsDim[0] = p.maxThreadsDim[1] = 1024;
  p.maxThreadsDim[2] = 64;
  p.maxGridSize[0] = 2147483647;
  p.maxGridSize[1] = p.maxGridSize[2] = 65535;
  p.maxThreadsPerMultiProcessor = 2048;
  p.maxBlocksPerMultiProcessor = 32;
  p.regsPerBlock = p.regsPerMultiprocessor = 65536;
  p.clockRate = 1755000;  // kHz
  p.singleToDoublePrecisionPerfRatio = 2;
  p.cooperativeLaunch = 1;
  p.concurrentKernels = 1;
  p.asyncEngineCount = 3;
  p.deviceOverlap = 1;
  p.streamPrioritiesSupported = 1;
  p.computePreemptionSupported = 1;
}

void set_memory(cudaDeviceProp& p) {
  p.totalGlobalMem = memory().total_bytes();
  p.sharedMemPerBlock = 49152;
  p.reservedSharedMemPerBlock = 1024;
  p.sharedMemPerMultiprocessor = static_cast<std::size_t>(options().shared_bytes_per_sm());
  p.sharedMemPerBlockOptin = p.sharedMemPerMultiprocessor - p.reservedSharedMemPerBlock;
  p.totalConstMem = 65536;
  p.memPitch = 2147483647;
  p.memoryClockRate = 2619000;  // kHz
  p.memoryBusWidth = 5120;
  p.l2CacheSize = 52428800;
  p.persistingL2CacheMaxSize = 32768000;
  p.accessPolicyMaxWindowSize = 134213632;
  p.globalL1CacheSupported = p.localL1CacheSupported = 1;
  p.canMapHostMemory = p.unifiedAddressing = 1;
  p.managedMemory = p.concurrentManagedAccess = 1;
  p.memoryPoolsSupported = 1;
  p.hostRegisterSupported = p.canUseHostPointerForRegisteredMem = 1;
  p.ECCEnabled = 1;
}

// The limits of an H100.
void set_textures(cudaDeviceProp& p) {
  p.textureAlignment = 512;
  p.texturePitchAlignment = 32;
  p.surfaceAlignment = 512;
  p.maxTexture1D = 131072;
  p.maxTexture1DMipmap = 32768;
  p.maxTexture1DLinear = 268435456;
  p.maxTexture2D[0] = 131072;
  p.maxTexture2D[1] = 65536;
  p.maxTexture2DMipmap[0] = p.maxTexture2DMipmap[1] = 32768;
  p.maxTexture2DLinear[0] = 131072;
  p.maxTexture2DLinear[1] = 65000;
  p.maxTexture2DLinear[2] = 2097120;
  p.maxTexture2DGather[0] = p.maxTexture2DGather[1] = 32768;
  std::fill_n(p.maxTexture3D, 3, 16384);
  p.maxTexture3DAlt[0] = p.maxTexture3DAlt[1] = 8192;
  p.maxTexture3DAlt[2] = 32768;
  p.maxTextureCubemap = 32768;
  p.maxTexture1DLayered[0] = p.maxTexture2DLayered[0] = p.maxTexture2DLayered[1] = 32768;
  p.maxTexture1DLayered[1] = p.maxTexture2DLayered[2] = 2048;
  p.maxTextureCubemapLayered[0] = 32768;
  p.maxTextureCubemapLayered[1] = 2046;
}

}  // namespace

cudaDeviceProp device_properties() {
  cudaDeviceProp p{};
  set_identity(p);
  set_threads(p);
  set_memory(p);
  set_textures(p);
  return p;
}

}  // namespace rafter::simt
