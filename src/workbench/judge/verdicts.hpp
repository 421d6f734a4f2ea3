// The verdicts on submissions, and the forms in which they are written.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "workbench/judge/submissions.hpp"

namespace rafter::judge {

/// The words of verdicts, which are those of `rafter try`.
inline constexpr const char* right_word = "right";
inline constexpr const char* wrong_word = "wrong";
inline constexpr const char* not_run_word = "could not run";

struct Judgement {
  Submission submission{};
  std::string verdict{};                               ///< The worst of its exercises.
  std::string why{};                                   ///< One sentence; empty if it is right.
  double seconds = 0;                                  ///< From its start to its verdict.
  nlohmann::json exercises = nlohmann::json::array();  ///< As `rafter try --json` writes them.

  bool is_right() const { return verdict == right_word; }
};

/// Derives the verdict and the sentence from the exercises. A submission without exercises could not be run.
void conclude(Judgement& judgement);

nlohmann::json to_json(const Judgement& judgement);
/// Reads what to_json() wrote. Throws nlohmann::json::exception.
Judgement judgement_of(const nlohmann::json& json);

// All submissions: a table for a terminal, a line for each as CSV, and JUnit's XML.
std::string table_of(std::span<const Judgement> all);
std::string csv_of(std::span<const Judgement> all);
std::string junit_of(const std::string& exercise, std::span<const Judgement> all);

/// "200 submissions: 140 right, 58 wrong, 2 could not be run".
std::string summary_of(std::span<const Judgement> all);

}  // namespace rafter::judge
