// The files that a command writes when it is done.
#pragma once

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace rafter::cli {

/// What --json or --csv names, for programs: "-" is the standard output, and empty nothing.
class OutcomeFile {
 public:
  explicit OutcomeFile(std::string path) : path_(std::move(path)) {}

  bool is_stdout() const;
  /// Where people read: what programs read has the standard output to itself.
  std::FILE* for_people() const { return is_stdout() ? stderr : stdout; }
  /// A file that must be writable; empty for none.
  std::string file() const { return is_stdout() ? "" : path_; }
  /// Throws Error (io).
  void write(const std::string& text) const;

 private:
  std::string path_;
};

/// Throws Error unless each of these, but empty names, can be written and is none of what is read.
void require_outputs(const std::vector<std::string>& written, const std::vector<std::string>& read);

}  // namespace rafter::cli
