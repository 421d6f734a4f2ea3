#include "workbench/lab/machine/device_variables.hpp"

#include <cxxabi.h>
#include <elf.h>
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <set>
#include <string_view>

#include "base/files.hpp"
#include "rafter/error.hpp"

namespace rafter::lab {

namespace {

constexpr unsigned machine_cuda = 190;  // EM_CUDA

/// A cubin, which is an ELF file, at the start of some bytes. Throws Error (io) where it reaches beyond them.
class Cubin {
 public:
  explicit Cubin(std::string_view bytes) : bytes_(bytes), header_(read<Elf64_Ehdr>(0)) {}

  /// Adds the symbols of objects in global and constant memory.
  void add_variables(std::set<std::string>& symbols) const {
    for (std::size_t i = 0; i < header_.e_shnum; ++i) {
      const Elf64_Shdr table = section(i);
      if (table.sh_type != SHT_SYMTAB) continue;
      for (std::uint64_t at = 0; at < table.sh_size; at += sizeof(Elf64_Sym)) {
        const auto symbol = read<Elf64_Sym>(table.sh_offset + at);
        if (ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT || symbol.st_size == 0) continue;
        if (symbol.st_shndx >= header_.e_shnum || !is_for_variables(section_name(symbol.st_shndx))) continue;
        symbols.emplace(text(section(table.sh_link).sh_offset + symbol.st_name));
      }
    }
  }

 private:
  static bool is_for_variables(std::string_view section) {
    return section.starts_with(".nv.global") || section == ".nv.constant3";
  }

  template <class T>
  T read(std::uint64_t offset) const {
    T value;
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof value)
      throw Error(ErrorCode::io, "a cubin ends too early");
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }
  std::string_view text(std::uint64_t offset) const {
    const std::size_t end = offset < bytes_.size() ? bytes_.find('\0', offset) : std::string_view::npos;
    if (end == std::string_view::npos) throw Error(ErrorCode::io, "a cubin ends in a name");
    return bytes_.substr(offset, end - offset);
  }
  Elf64_Shdr section(std::size_t i) const { return read<Elf64_Shdr>(header_.e_shoff + i * sizeof(Elf64_Shdr)); }
  std::string_view section_name(std::size_t i) const {
    return text(section(header_.e_shstrndx).sh_offset + section(i).sh_name);
  }

  std::string_view bytes_;
  Elf64_Ehdr header_;
};

std::string demangled(const std::string& symbol) {
  int status = 0;
  char* const text = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
  std::string name = text != nullptr ? text : symbol;
  std::free(text);
  return name;
}

}  // namespace

std::vector<DeviceVariable> device_variables(const std::filesystem::path& file) {
  const auto content = base::read_file(file);
  if (!content) throw Error(ErrorCode::io, fmt::format("cannot read {}", file.string()));
  const std::string_view bytes = *content;
  std::set<std::string> symbols;
  for (std::size_t at = bytes.find(ELFMAG); at != std::string_view::npos; at = bytes.find(ELFMAG, at + 1)) {
    Elf64_Ehdr header;
    if (bytes.size() - at < sizeof header) break;
    std::memcpy(&header, bytes.data() + at, sizeof header);
    if (header.e_machine == machine_cuda) Cubin(bytes.substr(at)).add_variables(symbols);
  }
  std::vector<DeviceVariable> variables;
  for (const std::string& symbol : symbols) variables.push_back({symbol, demangled(symbol)});
  return variables;
}

}  // namespace rafter::lab
