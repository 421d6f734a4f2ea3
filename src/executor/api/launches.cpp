// Launches of kernels by address, and the names of kernels.
#include <cxxabi.h>
#include <dlfcn.h>

#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "executor/api/call.hpp"
#include "executor/api/functions.hpp"
#include "executor/memory/elf_file.hpp"
#include "rafter_simt/api/launch.hpp"

using namespace rafter::simt;
using rafter_simt::Cooperative;
using rafter_simt::KernelLauncher;
using rafter_simt::Shape;

namespace {

struct Kernels {
  std::mutex mutex;
  std::unordered_map<const void*, KernelLauncher> launchers;
  std::unordered_map<const void*, std::string> names;
};

// Never destroyed: programs launch from destructors of static objects.
Kernels& kernels() {
  static Kernels& known = *new Kernels;
  return known;
}

/// Returns "scale<float>" for "void (anonymous namespace)::scale<float>(float*, int)".
std::string without_signature(std::string name) {
  constexpr std::string_view anonymous = "(anonymous namespace)::";
  for (std::size_t at; (at = name.find(anonymous)) != std::string::npos;) name.erase(at, anonymous.size());
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '<') ++depth;
    if (name[i] == '>') --depth;
    if (depth == 0 && name[i] == ' ') begin = i + 1;
    if (depth == 0 && name[i] == '(') return name.substr(begin, i - begin);
  }
  return name;
}

/// Returns the symbol at an address; also a local symbol that is only in the file's symbol table.
std::string symbol_at(const void* function) {
  Dl_info found{};
  if (dladdr(function, &found) == 0) return "";
  if (found.dli_sname != nullptr && found.dli_saddr == function) return found.dli_sname;
  const auto offset = reinterpret_cast<std::uintptr_t>(function) - reinterpret_cast<std::uintptr_t>(found.dli_fbase);
  std::string name;
  ElfFile(found.dli_fname).for_symbols(ElfFile::Type::function, [&](const ElfFile::Symbol& symbol) {
    if (symbol.value == offset) name = symbol.name;
  });
  return name;
}

std::string find_name(const void* kernel) {
  const std::string symbol = symbol_at(kernel);
  if (symbol.empty()) return "kernel";
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> plain(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 ? without_signature(plain.get()) : symbol;
}

KernelLauncher launcher_of(const void* kernel) {
  Kernels& known = kernels();
  const std::lock_guard lock(known.mutex);
  const auto found = known.launchers.find(kernel);
  return found == known.launchers.end() ? nullptr : found->second;
}

thread_local const void* called_at = nullptr;

}  // namespace

/// Launches a kernel. Does not use call(), because the launch reports its error itself.
cudaError_t rafter::simt::launch_by_address(const void* kernel, const Shape& shape, void** arguments,
                                            Cooperative cooperative, const void* site) {
  refuse_inside_kernels();
  if (const cudaError_t lost = errors().sticky(); lost != cudaSuccess) return lost;
  if (kernel == nullptr) return errors().report(cudaErrorInvalidDeviceFunction);
  const KernelLauncher launcher = launcher_of(kernel);
  if (launcher == nullptr)
    rafter_simt_unsupported("cudaLaunchKernel of a kernel that was cast to void* (pass it without the cast)");
  called_at = site;
  const auto error = static_cast<cudaError_t>(launcher(kernel, shape, arguments, cooperative));
  called_at = nullptr;
  return error;
}

const void* rafter::simt::launch_site() { return called_at; }

void rafter_simt_know_kernel(const void* kernel, KernelLauncher launcher) {
  Kernels& known = kernels();
  const std::lock_guard lock(known.mutex);
  known.launchers[kernel] = launcher;
}

const char* rafter_simt_kernel_name(const void* kernel) {
  Kernels& known = kernels();
  const std::lock_guard lock(known.mutex);
  const auto [entry, added] = known.names.try_emplace(kernel);
  if (added) entry->second = find_name(kernel);
  return entry->second.c_str();
}

Cooperative rafter_simt_launch_attributes(const cudaLaunchConfig_t* config, Shape* shape) {
  Cooperative cooperative = Cooperative::no;
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    const cudaLaunchAttribute& attribute = config->attrs[i];
    if (attribute.id == cudaLaunchAttributeCooperative && attribute.val.cooperative != 0)
      cooperative = Cooperative::yes;
    if (attribute.id == cudaLaunchAttributeClusterDimension) {
      const auto& cluster = attribute.val.clusterDim;
      shape->cluster = dim3(cluster.x, cluster.y, cluster.z);
    }
  }
  return cooperative;
}

cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared_bytes,
                             cudaStream_t stream) {
  return launch_by_address(kernel, Shape(grid, block, shared_bytes, stream), arguments, Cooperative::no,
                           __builtin_return_address(0));
}

cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                        std::size_t shared_bytes, cudaStream_t stream) {
  return launch_by_address(kernel, Shape(grid, block, shared_bytes, stream), arguments, Cooperative::yes,
                           __builtin_return_address(0));
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel, void** arguments) {
  if (config == nullptr) return errors().report(cudaErrorInvalidValue);
  Shape shape(config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream);
  const Cooperative cooperative = rafter_simt_launch_attributes(config, &shape);
  return launch_by_address(kernel, shape, arguments, cooperative, __builtin_return_address(0));
}
