#include "workbench/family/new_workload.hpp"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/files.hpp"
#include "base/new_file.hpp"
#include "base/process.hpp"
#include "rafter/error.hpp"

namespace rafter::family {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t longest_name = 40;

/// The words of C++20 that consist of small letters, digits and single underscores.
constexpr std::array reserved_words = {
    "alignas",     "alignof",  "and",        "and_eq",    "asm",       "auto",         "bitand",
    "bitor",       "bool",     "break",      "case",      "catch",     "char",         "char16_t",
    "char32_t",    "char8_t",  "class",      "co_await",  "co_return", "co_yield",     "compl",
    "concept",     "const",    "const_cast", "consteval", "constexpr", "constinit",    "continue",
    "decltype",    "default",  "delete",     "do",        "double",    "dynamic_cast", "else",
    "enum",        "explicit", "export",     "extern",    "false",     "float",        "for",
    "friend",      "goto",     "if",         "inline",    "int",       "long",         "mutable",
    "namespace",   "new",      "noexcept",   "not",       "not_eq",    "nullptr",      "operator",
    "or",          "or_eq",    "private",    "protected", "public",    "register",     "reinterpret_cast",
    "requires",    "return",   "short",      "signed",    "sizeof",    "static",       "static_assert",
    "static_cast", "struct",   "switch",     "template",  "this",      "thread_local", "throw",
    "true",        "try",      "typedef",    "typeid",    "typename",  "union",        "unsigned",
    "using",       "virtual",  "void",       "volatile",  "wchar_t",   "while",        "xor",
    "xor_eq"};

bool is_small_letter(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Converts "row_sums" to "ROW_SUMS".
std::string in_capitals(std::string_view name) {
  std::string text(name);
  for (char& c : text) {
    if (is_small_letter(c)) c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

/// Converts "row_sums" to "RowSums".
std::string as_type(std::string_view name) {
  std::string text;
  bool is_first = true;
  for (const char c : name) {
    if (c != '_') text += is_first ? in_capitals({&c, 1}) : std::string(1, c);
    is_first = c == '_';
  }
  return text;
}

void replace_all(std::string& text, std::string_view from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

/// A folder under a temporary name next to its final path; removed unless committed.
class NewFolder {
 public:
  explicit NewFolder(fs::path path) : path_(std::move(path)) {
    const fs::path around = base::folder_of(path_);
    if (!fs::is_directory(around))
      throw Error(ErrorCode::io, "there is no folder '" + around.string() + "' to create '" + path_.string() + "' in");
    require_free();
    name_ = (around / ("." + path_.filename().string() + base::partial_mark + "XXXXXX")).string();
    if (mkdtemp(name_.data()) == nullptr) base::fail_to_write(path_, errno);
    fs::permissions(name_,
                    fs::perms::group_read | fs::perms::group_exec | fs::perms::others_read | fs::perms::others_exec,
                    fs::perm_options::add);
  }
  ~NewFolder() {
    std::error_code error;
    if (!name_.empty()) fs::remove_all(name_, error);
  }
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;

  fs::path name() const { return name_; }

  void commit() {
    if (renameat2(AT_FDCWD, name_.c_str(), AT_FDCWD, path_.c_str(), RENAME_NOREPLACE) != 0) {
      if (errno != EINVAL && errno != ENOSYS) {
        const int error = errno;
        require_free();  // another process was faster
        base::fail_to_write(path_, error);
      }
      require_free();  // a file system without RENAME_NOREPLACE
      if (rename(name_.c_str(), path_.c_str()) != 0) base::fail_to_write(path_, errno);
    }
    name_.clear();
  }

 private:
  void require_free() const {
    if (fs::symlink_status(path_).type() == fs::file_type::not_found) return;
    throw Error(ErrorCode::bad_argument,
                "'" + path_.string() + "' already exists and is not changed; choose another folder, or remove it");
  }

  fs::path path_;
  std::string name_;
};

}  // namespace

void require_workload_name(std::string_view name) {
  if (std::find(reserved_words.begin(), reserved_words.end(), name) != reserved_words.end())
    throw Error(ErrorCode::bad_argument, "'" + std::string(name) +
                                             "' cannot be the name of a workload: it becomes part of C++ identifiers, "
                                             "and it is a word of C++");
  const bool has_right_characters =
      std::all_of(name.begin(), name.end(), [](char c) { return is_small_letter(c) || is_digit(c) || c == '_'; });
  if (!name.empty() && name.size() <= longest_name && is_small_letter(name.front()) && name.back() != '_' &&
      has_right_characters && name.find("__") == std::string_view::npos)
    return;
  throw Error(ErrorCode::bad_argument,
              "'" + std::string(name) +
                  "' cannot be the name of a workload: it becomes part of C++ identifiers, so it must have " +
                  "lower-case letters, digits and single underscores, begin with a letter and have at most " +
                  std::to_string(longest_name) + " characters, as in row_sums");
}

void write_workload(const fs::path& folder, std::string_view name, const fs::path& package) {
  require_workload_name(name);
  NewFolder here(folder);
  for (const TemplateFile& file : workload_template()) {
    std::string path(file.path), text(file.text);
    for (std::string* one : {&path, &text}) {
      replace_all(*one, "workload_name", std::string(name));
      replace_all(*one, "WorkloadName", as_type(name));
      replace_all(*one, "WORKLOAD_NAME", in_capitals(name));
    }
    replace_all(text, "@FOLDER@", base::shell_quoted({folder.filename().string()}));
    replace_all(text, "@PACKAGE@", base::shell_quoted({package.string()}));
    if (path == "gitignore") path = ".gitignore";
    base::write_file(here.name() / path, text);
  }
  here.commit();
}

fs::path package_folder() {
  const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
  const fs::path installed =
      here.parent_path().parent_path() / RAFTER_PACKAGE_FOLDER;  // this program is in PREFIX/libexec/rafter
  const fs::path built = here.parent_path();                     // this program is in BUILD/libexec
  for (const fs::path& folder : {installed, built}) {
    if (!fs::exists(folder / "rafter-workload.cmake")) continue;
    if (fs::exists(folder / "rafter-config.cmake")) return folder;
    throw Error(ErrorCode::io, "workloads in folders need the library's headers, but there is no " +
                                   (folder / "rafter-config.cmake").string() +
                                   ": install them (the package librafter-dev, or the component 'development')");
  }
  throw Error(ErrorCode::io, "the CMake package for building folders is neither in the installation (" +
                                 installed.string() + ") nor in the build (" + built.string() + ")");
}

}  // namespace rafter::family
