// A journal entry on disk: one JSON file, written once and never changed.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace rafter::journal {

enum class Kind {
  start,  ///< the journal begins, or continues after a stop
  step,   ///< something was measured, tried or explained
  note,   ///< text about an earlier entry
  stop,
};
const char* name(Kind kind);

enum class Verdict { none, right, wrong, could_not_run };
const char* name(Verdict verdict);  ///< "", "right", "wrong", "could not run"
/// Parses a verdict; throws Error (bad_argument) for other words.
Verdict verdict_called(const std::string& word);

/// The answers to the questions of a work log; empty if not answered.
struct Answers {
  std::string structure{};  ///< the current structure of the code
  std::string measured{};   ///< other measurements
  std::string follows{};    ///< the conclusions
  std::string limit{};      ///< the suspected limit
  std::string next{};       ///< the next thing to try
};

struct Question {
  const char* option;  ///< "--follows"; without the dashes, the field in the file
  const char* words;   ///< "What follows from that?"
  std::string Answers::*answer;
};
/// The questions in the order of a log.
inline constexpr Question questions[] = {
    {"--structure", "How is the code structured now?", &Answers::structure},
    {"--measured", "What else was measured?", &Answers::measured},
    {"--follows", "What follows from that?", &Answers::follows},
    {"--limit", "What is believed to limit it?", &Answers::limit},
    {"--next", "What to try next?", &Answers::next},
};

/// A stored version of a source file.
struct KeptSource {
  std::string name{};     ///< constant over all versions: its path relative to the journal's folder
  std::string file{};     ///< the file at that time
  std::string kept{};     ///< file with its text in the journal's folder; empty: not stored
  std::string why_not{};  ///< "it cannot be read"
};

struct Entry {
  int number = 0;
  Kind kind = Kind::step;
  std::string time{};     ///< UTC
  std::string command{};  ///< the arguments as typed, without "rafter"
  std::string machine{};  ///< "NVIDIA H200"; empty if nothing was timed
  bool is_busy = false;   ///< the machine was too busy for reliable times
  Verdict verdict = Verdict::none;
  std::string message{};     ///< the user's sentence
  std::string prediction{};  ///< "1.3x"
  std::string said{};        ///< first sentence of the profile or the explanation
  std::string rung{};        ///< the rung of this step among several; empty: the fastest
  Answers answers{};
  int about = 0;         ///< the entry that a note is about
  std::string title{};   ///< set by a start
  std::string target{};  ///< "5x"; set by a start, empty in later ones unless given again
  std::vector<KeptSource> sources{};
  std::string change{};                              ///< unified diff of the sources since the previous entry
  nlohmann::json results = nlohmann::json::array();  ///< entries of a results file, without samples
  std::vector<std::string> watched{};                ///< sources that a start names, stored with every entry
};

/// The newest format that can be read; each file states its format.
inline constexpr int entry_format = 1;

nlohmann::json to_json(const Entry& entry);
/// Reads an entry; throws Error (bad_argument) that describes the problem. `name` is used in the message.
Entry entry_of(const nlohmann::json& document, const std::string& name);

}  // namespace rafter::journal
