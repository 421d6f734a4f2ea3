#include "base/outputs.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/files.hpp"
#include "rafter/error.hpp"

namespace rafter::base {

namespace {

bool are_same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  return a == b || std::filesystem::equivalent(a, b, error);
}

}  // namespace

bool names_stdout(const std::filesystem::path& path) { return path == "-" || path == "/dev/stdout"; }

void OutputFile::write(const std::string& text) const {
  const std::string whole = text.ends_with('\n') ? text : text + "\n";
  if (is_stdout()) {
    fmt::print("{}", whole);
  } else if (!path_.empty()) {
    write_file(path_, whole);
  }
}

StreamedOutput::StreamedOutput(const std::filesystem::path& path) : path_(path) {
  if (names_stdout(path)) {
    std::fflush(stdout);
    direct_ = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
  } else if (std::error_code error; is_replaceable(path) || std::filesystem::is_directory(path, error)) {
    const std::filesystem::path target = replaceable_file(path);
    remove_partial_files(target);
    file_.emplace(target);
    return;
  } else {
    direct_ = open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  }
  if (direct_ < 0) fail_to_write(path_, errno);
}

StreamedOutput::~StreamedOutput() {
  if (direct_ >= 0) close(direct_);
}

void StreamedOutput::reserve(std::int64_t n_bytes) const {
  if (file_) file_->reserve(n_bytes);
}

void StreamedOutput::write(std::span<const std::string_view> parts) const {
  if (file_) return file_->write(parts);
  if (const int error = write_all(direct_, parts); error != 0) fail_to_write(path_, error);
}

void StreamedOutput::commit() {
  if (file_) return file_->commit();
  const int error = sync(direct_);
  if (close(std::exchange(direct_, -1)) != 0 || error != 0) fail_to_write(path_, error != 0 ? error : errno);
}

void require_outputs(const std::vector<std::string>& written, const std::vector<std::string>& read) {
  for (std::size_t i = 0; i < written.size(); ++i) {
    const std::string& path = written[i];
    if (path.empty() || names_stdout(path)) continue;
    for (const std::string& other : read) {
      if (!are_same_file(path, other)) continue;
      throw Error(ErrorCode::bad_argument,
                  fmt::format("'{}' is an input file and cannot be the output too: name another file", path));
    }
    for (std::size_t k = 0; k < i; ++k) {
      if (!is_replaceable(path) || !are_same_file(path, written[k])) continue;
      throw Error(ErrorCode::bad_argument, fmt::format("two outputs are named '{}': name another file", path));
    }
    require_writable(path);
  }
}

std::FILE* text_stream_beside(const std::vector<NamedOutput>& outputs) {
  const char* owner = nullptr;
  for (const NamedOutput& output : outputs) {
    if (!names_stdout(output.path)) continue;
    if (owner != nullptr)
      throw Error(ErrorCode::bad_argument,
                  fmt::format("{} and {} cannot both have the standard output", owner, output.option));
    owner = output.option;
  }
  return owner != nullptr ? stderr : stdout;
}

void Formats::require(const std::vector<std::string>& read) const {
  text_stream_beside({{"--json", json}, {"--csv", csv}});
  require_outputs({json, csv}, read);
}

}  // namespace rafter::base
