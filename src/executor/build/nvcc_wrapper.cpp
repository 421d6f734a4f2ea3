#include <elf.h>
#include <fmt/format.h>

#include <cstdlib>

#include "base/files.hpp"
#include "base/process.hpp"
#include "executor/build/nvcc.hpp"
#include "rafter/error.hpp"

namespace rafter::simt::build {

namespace fs = std::filesystem;

namespace {

constexpr const char* root_variable = "RAFTER_NVCC_ROOT";

void write_executable(const fs::path& path, const std::string& text) {
  base::write_file(path, text);
  fs::permissions(path, fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec | fs::perms::others_read |
                            fs::perms::others_exec);
}

void link_to(const fs::path& target, const fs::path& name) {
  if (fs::is_symlink(name)) fs::remove(name);
  fs::create_directory_symlink(target, name);
}

/// Copies the runtime without its SONAME. Linkers record the path of a library without SONAME, so programs find the
/// copy however they are linked.
void write_nameless_copy(const fs::path& runtime, const fs::path& copy) {
  auto image = base::read_file(runtime);
  if (!image) throw Error(ErrorCode::io, fmt::format("cannot read '{}'", runtime.string()));
  const auto& header = *reinterpret_cast<const Elf64_Ehdr*>(image->data());
  const auto* segments = reinterpret_cast<const Elf64_Phdr*>(image->data() + header.e_phoff);
  for (int i = 0; i < header.e_phnum; ++i) {
    if (segments[i].p_type != PT_DYNAMIC) continue;
    auto* entry = reinterpret_cast<Elf64_Dyn*>(image->data() + segments[i].p_offset);
    for (; entry->d_tag != DT_NULL; ++entry) {
      if (entry->d_tag == DT_SONAME) entry->d_tag = DT_DEBUG;  // ignored in a library
    }
  }
  base::write_file(copy, *image);
}

void write_layout(const fs::path& root, const std::string& script, const Toolchain& toolchain) {
  fs::create_directories(root / "nvvm/libdevice");
  write_executable(root / "bin/nvcc", script);
  write_executable(root / "nvcc", script);
  link_to(fs::absolute(toolchain.shim_dir), root / "include");
  // Host compilers link with these libraries directly. Each is a linker script that refers to the executor's runtime.
  const fs::path runtime = root / "lib64/librafter_simt.so";
  write_nameless_copy(toolchain.runtime_library, runtime);
  const std::string leads_to_runtime = fmt::format("INPUT(\"{}\")\n", runtime.string());
  for (const char* name : {"libcudart.so", "libcudart_static.a", "libcuda.so"}) {
    base::write_file(root / "lib64" / name, leads_to_runtime);
  }
  for (const LibraryReplacement& one : library_replacements) {
    if (!fs::exists(toolchain.library(one.name))) continue;
    const fs::path copy = root / "lib64" / toolchain.library(one.name).filename();
    write_nameless_copy(toolchain.library(one.name), copy);
    for (const char* replaced : one.replaced) {
      if (replaced == nullptr) continue;
      const std::string name = replaced;
      for (const char* ending : {".so", "_static.a"}) {
        base::write_file(root / "lib64" / ("lib" + name + ending),
                         fmt::format("INPUT(\"{}\" \"{}\")\n", copy.string(), runtime.string()));
      }
    }
  }
  for (const char* name : {"libcudadevrt.a", "libculibos.a"}) base::write_file(root / "lib64" / name, "!<arch>\n");
  link_to("lib64", root / "lib");
  base::write_file(root / "version.json", "{ \"cuda\": { \"name\": \"CUDA SDK\", \"version\": \"13.0.0\" } }\n");
}

}  // namespace

fs::path nvcc_root() {
  const char* root = std::getenv(root_variable);
  return root != nullptr ? root : "";
}

void write_nvcc_wrapper(const fs::path& folder, const fs::path& rafter_executable, const Toolchain& toolchain,
                        Mode mode) {
  const fs::path root = fs::absolute(folder).lexically_normal();
  const std::string script = fmt::format(
      "#!/bin/sh\n{}={} exec {} nvcc --mode={} \"$@\"\n", root_variable, base::shell_quoted({root.string()}),
      base::shell_quoted({fs::absolute(rafter_executable).string()}), mode == Mode::checked ? "checked" : "plain");
  try {
    write_layout(root, script, toolchain);
  } catch (const fs::filesystem_error& error) {
    throw Error(ErrorCode::io, fmt::format("cannot write '{}': {}", root.string(), error.code().message()));
  }
}

}  // namespace rafter::simt::build
