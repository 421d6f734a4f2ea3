// The files that a command writes when it is done.
#pragma once

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace rafter::base {

/// The output that --json or --csv names. "-" is standard output; an empty path means no output.
class OutputFile {
 public:
  explicit OutputFile(std::string path) : path_(std::move(path)) {}

  bool is_stdout() const;
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

/// Throws Error unless every non-empty path in `written` is writable and none of them is one of the files in `read`.
void require_outputs(const std::vector<std::string>& written, const std::vector<std::string>& read);

/// Throws Error (bad_argument) if both outputs are standard output.
void require_one_stdout(const OutputFile& json, const OutputFile& csv);

}  // namespace rafter::base
