#include "cli/outputs.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "base/files.hpp"
#include "rafter/error.hpp"

namespace rafter::cli {

bool OutcomeFile::is_stdout() const { return path_ == "-" || path_ == "/dev/stdout"; }

void OutcomeFile::write(const std::string& text) const {
  const std::string whole = text.ends_with('\n') ? text : text + "\n";
  if (is_stdout()) {
    fmt::print("{}", whole);
  } else if (!path_.empty()) {
    base::write_file(path_, whole);
  }
}

void require_outputs(const std::vector<std::string>& written, const std::vector<std::string>& read) {
  for (const std::string& path : written) {
    if (path.empty()) continue;
    for (const std::string& other : read) {
      std::error_code error;
      if (!std::filesystem::equivalent(path, other, error)) continue;
      throw Error(ErrorCode::bad_argument,
                  fmt::format("'{}' is read and cannot be written, too: name another file", path));
    }
    base::require_writable(path);
  }
}

}  // namespace rafter::cli
