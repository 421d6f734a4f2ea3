#include "executor/memory/elf_file.hpp"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

namespace rafter::simt {
namespace {

const ElfW(Ehdr) & header(const char* image) { return *reinterpret_cast<const ElfW(Ehdr)*>(image); }
const ElfW(Shdr) * sections(const char* image) {
  return reinterpret_cast<const ElfW(Shdr)*>(image + header(image).e_shoff);
}

}  // namespace

ElfFile::ElfFile(const char* path) {
  const int file = open(*path ? path : "/proc/self/exe", O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  struct stat status;
  if (fstat(file, &status) == 0) {
    bytes_ = static_cast<std::size_t>(status.st_size);
    void* memory = mmap(nullptr, bytes_, PROT_READ, MAP_PRIVATE, file, 0);
    if (memory != MAP_FAILED) image_ = static_cast<const char*>(memory);
  }
  close(file);
}

ElfFile::~ElfFile() {
  if (image_) munmap(const_cast<char*>(image_), bytes_);
}

void ElfFile::for_symbols(Type type, const std::function<void(const Symbol&)>& f) const {
  if (!image_) return;
  const int wanted = type == Type::variable ? STT_OBJECT : type == Type::function ? STT_FUNC : STT_TLS;
  for (int i = 0; i < header(image_).e_shnum; ++i) {
    const auto& section = sections(image_)[i];
    if (section.sh_type != SHT_SYMTAB) continue;
    const auto* symbols = reinterpret_cast<const ElfW(Sym)*>(image_ + section.sh_offset);
    const char* names = image_ + sections(image_)[section.sh_link].sh_offset;
    for (std::size_t s = 0; s < section.sh_size / sizeof(ElfW(Sym)); ++s) {
      const auto& symbol = symbols[s];
      if (symbol.st_shndx == SHN_UNDEF) continue;
      if (ELF64_ST_TYPE(symbol.st_info) != wanted) continue;
      if (symbol.st_size == 0 && type != Type::function) continue;  // a marker such as `$d` or `_TLS_MODULE_BASE_`
      f({names + symbol.st_name, symbol.st_value, symbol.st_size});
    }
  }
}

bool ElfFile::imports(const char* prefix) const {
  if (!image_) return false;
  for (int i = 0; i < header(image_).e_shnum; ++i) {
    const auto& section = sections(image_)[i];
    if (section.sh_type != SHT_DYNSYM) continue;
    const auto* symbols = reinterpret_cast<const ElfW(Sym)*>(image_ + section.sh_offset);
    const char* names = image_ + sections(image_)[section.sh_link].sh_offset;
    for (std::size_t s = 0; s < section.sh_size / sizeof(ElfW(Sym)); ++s) {
      const bool is_import = symbols[s].st_shndx == SHN_UNDEF;
      if (is_import && std::strncmp(names + symbols[s].st_name, prefix, std::strlen(prefix)) == 0) return true;
    }
  }
  return false;
}

ElfFile::Section ElfFile::section(const char* name) const {
  if (!image_) return {};
  const char* names = image_ + sections(image_)[header(image_).e_shstrndx].sh_offset;
  for (int i = 0; i < header(image_).e_shnum; ++i) {
    const auto& section = sections(image_)[i];
    if (std::strcmp(names + section.sh_name, name) == 0) return {section.sh_addr, section.sh_size};
  }
  return {};
}

}  // namespace rafter::simt
