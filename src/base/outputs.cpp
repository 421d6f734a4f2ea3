#include "base/outputs.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "base/files.hpp"
#include "rafter/error.hpp"

namespace rafter::base {

bool OutputFile::is_stdout() const { return path_ == "-" || path_ == "/dev/stdout"; }

void OutputFile::write(const std::string& text) const {
  const std::string whole = text.ends_with('\n') ? text : text + "\n";
  if (is_stdout()) {
    fmt::print("{}", whole);
  } else if (!path_.empty()) {
    write_file(path_, whole);
  }
}

void require_outputs(const std::vector<std::string>& written, const std::vector<std::string>& read) {
  for (const std::string& path : written) {
    if (path.empty()) continue;
    for (const std::string& other : read) {
      std::error_code error;
      if (!std::filesystem::equivalent(path, other, error)) continue;
      throw Error(ErrorCode::bad_argument,
                  fmt::format("'{}' is an input file and cannot be the output too: name another file", path));
    }
    require_writable(path);
  }
}

void require_one_stdout(const OutputFile& json, const OutputFile& csv) {
  if (json.is_stdout() && csv.is_stdout())
    throw Error(ErrorCode::bad_argument, "--json and --csv cannot both have the standard output");
}

}  // namespace rafter::base
