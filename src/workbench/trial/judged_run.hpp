// One run of the program around a user's kernel. The user's host code runs in the same process and can write any file,
// so the executor seals what it reports (executor/process/seal.hpp), and only that is read here.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/process.hpp"
#include "executor/build/untrusted.hpp"

namespace rafter::trial {

/// The outcome of a run and the results that it left.
struct CaseRun {
  base::Outcome ended;
  nlohmann::json report;                ///< has no findings if there is none
  std::optional<std::string> arrays{};  ///< nullopt if they were not saved
  bool is_complete = false;             ///< the report was written after all code of the file
  bool is_out_of_memory = false;        ///< the arrays could not be allocated
  bool is_forged = false;               ///< a file is not the executor's
};

/// The program of one user file.
class JudgedProgram {
 public:
  /// Plans are written to one folder and results read from another. In the sandboxes of `untrusted`, if it is not null,
  /// the program can write to the latter only.
  JudgedProgram(std::filesystem::path program, const std::filesystem::path& scratch,
                const simt::build::UntrustedWork* untrusted);

  const std::filesystem::path& path() const { return program_; }

  struct Signature {
    base::Outcome ended{};
    std::string lines{};  ///< the parameters' types; empty if the program did not return them
  };
  Signature signature(double time_limit_s) const;

  /// Whether the places in a report become source lines, which takes longer than a small case.
  enum class Places { lines, addresses };
  /// The number of runs of a case in one process, with new arrays each time; those of the last run are judged.
  enum class Runs { one, two };
  /// Runs the case that `plan` describes (plan.hpp), with these options of the executor.
  CaseRun run(const std::string& plan, const std::string& options, double time_limit_s, Places places = Places::lines,
              Runs runs = Runs::one) const;

 private:
  base::Outcome start(const base::Command& arguments, const std::string& options, const std::string& key,
                      double time_limit_s) const;

  std::filesystem::path program_, plans_, results_;
  const simt::build::UntrustedWork* untrusted_;
};

}  // namespace rafter::trial
