// For commands that measured, tried or explained something: hands it to the journal, where there is one. Small on
// purpose: `rafter run` compiles and links this before its first table, and all the rest is a program of its own,
// rafter-journal, which is started when a journal is there.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rafter::journal {

/// What -m and --predict say.
struct Words {
  std::string message{};
  std::string prediction{};  ///< "1.3x", "36ms"
};

struct Event {
  /// Files of the user's.
  std::vector<std::filesystem::path> sources{};
  /// The source of a rung, which may be in no file here: `name` stays when `file` becomes another one.
  struct Text {
    std::string name{};  ///< "heat on cpu"
    std::string file{};  ///< "kernels/heat/ladder/horner.cpp"
    std::string text{};
  };
  std::vector<Text> texts{};
  std::filesystem::path results_path{};  ///< a file as 'rafter run' writes it; or
  std::string results{};                 ///< what such a file would have; or nothing was timed
  std::string rung{};                    ///< the rung that it is about, of several in the results; empty: the fastest
  std::string verdict{};                 ///< "right", "wrong", "could not run"; empty: what the results say
  std::string said{};                    ///< what a profile or explanation says first, as a sentence
  std::string measured{};                ///< what else was measured, as a sentence
  std::string next{};                    ///< what to try next, where the command knows something
  Words words{};
};

/// The source files among words for a compiler.
std::vector<std::filesystem::path> sources_in(const std::vector<std::string>& words);

/// Throws Error (bad_argument) where a prediction is none: before hours of measuring, not after.
void require_words(const Words& words);

/// Whether there is a journal for it; a few looks at folders.
bool is_wanted(const Event& event = {});

/// Adds an entry to the journal of the current folder, or of the first source's; does nothing, and that at once, where
/// there is none, or RAFTER_JOURNAL is off. The command's words are this process's own. Never throws, and the command's
/// outcome stays as it is: what goes wrong is said on the standard error.
void record(const Event& event) noexcept;

}  // namespace rafter::journal
