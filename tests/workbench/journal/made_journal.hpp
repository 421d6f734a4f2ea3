// Makes journals with given times.
#pragma once

#include <nlohmann/json.hpp>

#include "../lab/temporary_folder.hpp"
#include "base/files.hpp"
#include "workbench/journal/journal.hpp"

namespace rafter::journal {

inline bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Returns a result as 'rafter run' writes it; 0 ns: a wrong one.
inline nlohmann::json result(const std::string& rung, double ns, std::int64_t n = 1024, const char* kind = "rung") {
  nlohmann::json one{{"workload", "sum"},
                     {"params", {{"n", n}}},
                     {"device", "cpu"},
                     {"regime", "cold"},
                     {"rung", rung},
                     {"kind", kind},
                     {"idea", "An idea."},
                     {"verified", ns > 0},
                     {"status", ns > 0 ? "verified" : "WRONG"},
                     {"detail", ns > 0 ? "" : "element 3 is <nan>"},
                     {"floor_ns", 100.},
                     {"floor_limit", "memory"}};
  if (ns > 0) one.update({{"median_ns", ns}, {"interval_ns", {0.99 * ns, 1.01 * ns}}, {"samples_ns", {ns, ns}}});
  return one;
}

/// Returns a result that the executor counted, with the model's estimate.
inline nlohmann::json estimated(const std::string& rung, double ns) {
  nlohmann::json one = result(rung, 0);
  one.update({{"device", "simt"},
              {"verified", true},
              {"status", "verified"},
              {"floor_ns", 0.},
              {"counts", {{"bytes_moved", 8000.}, {"bytes_asked", 4000.}}},
              {"estimate", {{"gpu", "H200"}, {"ns", ns}}}});
  return one;
}

inline Entry step(const std::string& message, const std::vector<nlohmann::json>& results,
                  const std::string& machine = "A, 2 threads") {
  return {.command = "run sum", .machine = machine, .verdict = Verdict::right, .message = message, .results = results};
}

/// A folder with a new journal.
class MadeJournal {
 public:
  explicit MadeJournal(const std::string& target = "", const std::vector<std::filesystem::path>& sources = {})
      : journal(Journal::start(folder.path(), {.kind = Kind::start, .title = "Sums", .target = target}, sources)) {}

  std::filesystem::path file(const char* name) const { return folder.path() / name; }

  lab::TemporaryFolder folder;
  Journal journal;
};

}  // namespace rafter::journal
