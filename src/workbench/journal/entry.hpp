// An entry of a journal, as it is on the disk: one JSON file, written once and never changed.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace rafter::journal {

enum class Kind {
  start,  ///< the journal begins, or goes on after it was ended
  step,   ///< something was measured, tried or explained
  note,   ///< words about an entry before it
  stop,
};
const char* name(Kind kind);

enum class Verdict { none, right, wrong, could_not_run };
const char* name(Verdict verdict);  ///< "", "right", "wrong", "could not run"
/// Throws Error (bad_argument) for a word that is none.
Verdict verdict_called(const std::string& word);

/// The questions that a work log answers; what is empty was not said.
struct Answers {
  std::string structure{};  ///< how the code is structured now
  std::string measured{};   ///< what else was measured
  std::string follows{};    ///< what follows from that
  std::string limit{};      ///< what is believed to limit it
  std::string next{};       ///< what to try next
};

struct Question {
  const char* option;  ///< "--follows", without its dashes the field on the disk
  const char* words;   ///< "What follows from that?"
  std::string Answers::*answer;
};
/// In the order of a log.
inline constexpr Question questions[] = {
    {"--structure", "How is the code structured now?", &Answers::structure},
    {"--measured", "What else was measured?", &Answers::measured},
    {"--follows", "What follows from that?", &Answers::follows},
    {"--limit", "What is believed to limit it?", &Answers::limit},
    {"--next", "What to try next?", &Answers::next},
};

/// A source as it was.
struct KeptSource {
  std::string name{};     ///< what it is called through all changes: its path from the journal's folder
  std::string file{};     ///< the file that it was then
  std::string kept{};     ///< where its text is, in the journal's folder; empty: it was not kept
  std::string why_not{};  ///< "it is not there"
};

struct Entry {
  int number = 0;
  Kind kind = Kind::step;
  std::string time{};     ///< UTC
  std::string command{};  ///< as it was typed, without rafter
  std::string machine{};  ///< "NVIDIA H200"; empty where nothing was timed
  bool is_busy = false;   ///< the machine was, too much to trust the times
  Verdict verdict = Verdict::none;
  std::string message{};     ///< the user's sentence
  std::string prediction{};  ///< "1.3x"
  std::string said{};        ///< what the profile or the explanation said first
  std::string rung{};        ///< what the step is about, where there are several; empty: the fastest
  Answers answers{};
  int about = 0;         ///< of a note: the entry it is about
  std::string title{};   ///< of a start
  std::string target{};  ///< of a start: "5x"; of later ones only where it was given again
  std::vector<KeptSource> sources{};
  std::string change{};                              ///< of the sources since the entry before: a unified diff
  nlohmann::json results = nlohmann::json::array();  ///< as a results file has them, without samples
  std::vector<std::string> watched{};                ///< of a start: sources that every entry looks at
};

/// The newest format that is read; files say theirs.
inline constexpr int entry_format = 1;

nlohmann::json to_json(const Entry& entry);
/// Throws Error (bad_argument) that begins with what is wrong with it; `name` is for the message.
Entry entry_of(const nlohmann::json& document, const std::string& name);

}  // namespace rafter::journal
