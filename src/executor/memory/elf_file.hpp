// The symbols and sections of a loaded module, read from its file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace rafter::simt {

class ElfFile {
 public:
  /// Maps the file; an empty path is the program itself. A file that cannot be read has no symbols.
  explicit ElfFile(const char* path);
  ~ElfFile();
  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;

  enum class Type { variable, thread_local_variable, function };
  struct Symbol {
    std::string name;
    std::uintptr_t value;  // address before relocation, or offset in the thread-local segment
    std::size_t bytes;
  };
  void for_symbols(Type type, const std::function<void(const Symbol&)>& f) const;

  /// Whether the module imports a function or variable with this prefix.
  bool imports(const char* prefix) const;

  struct Section {
    std::uintptr_t address = 0;
    std::size_t bytes = 0;
  };
  Section section(const char* name) const;

 private:
  const char* image_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace rafter::simt
