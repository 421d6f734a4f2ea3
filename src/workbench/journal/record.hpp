// Finds journals, and adds entries for commands that measured, tried or explained something. Kept small, because
// `rafter run` compiles and links this before its first table: everything else is in a separate program,
// rafter-journal, which is started if there is a journal.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace rafter::journal {

/// The folder of the entries, next to the work they are about.
inline constexpr const char* folder_name = "rafter-journal";

/// Finds the journal of this folder or of the nearest parent; also accepts a journal's own folder. Costs one look-up
/// per folder.
std::optional<std::filesystem::path> find_journal(const std::filesystem::path& from);

/// The values of -m and --predict.
struct Words {
  std::string message{};
  std::string prediction{};  ///< "1.3x", "36ms"
};

struct Event {
  /// The user's files.
  std::vector<std::filesystem::path> sources{};
  /// The source of a rung, which may not exist as a file here. `name` is constant when `file` changes.
  struct Text {
    std::string name{};  ///< "heat on cpu"
    std::string file{};  ///< "kernels/heat/ladder/horner.cpp"
    std::string text{};
  };
  std::vector<Text> texts{};
  std::filesystem::path results_path{};  ///< a results file of 'rafter run'; or
  std::string results{};                 ///< the contents of one; both empty if nothing was timed
  std::string rung{};                    ///< the rung of this event among several in the results; empty: the fastest
  std::string verdict{};                 ///< "right", "wrong", "could not run"; empty: derived from the results
  std::string said{};                    ///< first sentence of a profile or explanation
  std::string measured{};                ///< other measurements, as a sentence
  std::string next{};                    ///< the next thing to try, if the command knows one
  Words words{};
};

/// Returns the source files among the arguments of a compiler.
std::vector<std::filesystem::path> sources_in(const std::vector<std::string>& words);

/// Throws Error (bad_argument) if a prediction is invalid, before hours of measurement.
void require_words(const Words& words);

/// Whether there is a journal for the event. Costs a few look-ups of folders.
bool is_wanted(const Event& event = {});

/// Adds an entry to the journal of the current folder, or of the first source's. Does nothing if there is none or
/// RAFTER_JOURNAL is off. The command is that of this process. Never throws and does not affect the command's outcome:
/// errors are printed to standard error.
void record(const Event& event) noexcept;

}  // namespace rafter::journal
