// The files that a command writes when it is done.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/new_file.hpp"

namespace rafter::base {

/// Whether a path names the standard output: "-" or /dev/stdout.
bool names_stdout(const std::filesystem::path& path);

/// The output that --json or --csv names. "-" is standard output; an empty path means no output.
class OutputFile {
 public:
  explicit OutputFile(std::string path) : path_(std::move(path)) {}

  bool is_stdout() const { return names_stdout(path_); }
  /// The stream for text that people read: standard error if this output takes standard output.
  std::FILE* text_stream() const { return is_stdout() ? stderr : stdout; }
  const std::string& path() const { return path_; }
  /// The path that must be writable, or an empty string.
  std::string file() const { return is_stdout() ? "" : path_; }
  /// Writes the text and a final newline. Throws Error (io).
  void write(const std::string& text) const;

 private:
  std::string path_;
};

/// An output of any size, written piece by piece. A file is replaced when it is complete, and temporary files that
/// killed processes left for it are removed. The standard output, pipes and devices are written directly. All functions
/// throw Error (io).
class StreamedOutput {
 public:
  explicit StreamedOutput(const std::filesystem::path& path);
  ~StreamedOutput();
  StreamedOutput(const StreamedOutput&) = delete;
  StreamedOutput& operator=(const StreamedOutput&) = delete;

  /// Reserves space on the disk, so that a full disk is found before the work.
  void reserve(std::int64_t n_bytes) const;
  void write(std::span<const std::string_view> parts) const;
  void commit();

 private:
  std::filesystem::path path_;
  std::optional<NewFile> file_;
  int direct_ = -1;  // the open output, if it is not a file
};

/// Throws Error unless every non-empty path in `written` is writable, only once in the list, and none of the files in
/// `read`. The standard output is always writable.
void require_outputs(const std::vector<std::string>& written, const std::vector<std::string>& read);

struct NamedOutput {
  const char* option;  ///< "--json"
  std::string path;
};

/// Returns the stream for text that people read: standard error if one of the outputs is the standard output. Throws
/// Error (bad_argument) if two are.
std::FILE* text_stream_beside(const std::vector<NamedOutput>& outputs);

/// The outputs of a command whose result is a table: for programs, besides the text for people.
struct Formats {
  std::string json{}, csv{};  ///< Empty: none; "-": standard output.

  /// Whether one of them takes the standard output. The command then prints no text there.
  bool take_stdout() const { return names_stdout(json) || names_stdout(csv); }
  /// Throws Error unless both can be written (io), and differ from each other and from what is read (bad_argument).
  /// Called before the work.
  void require(const std::vector<std::string>& read = {}) const;
};

}  // namespace rafter::base
