#include "workbench/lab/report/results_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <ctime>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "base/process.hpp"
#include "base/sha256.hpp"
#include "rafter/error.hpp"
#include "workbench/lab/machine/machine.hpp"
#include "workbench/lab/report/results.hpp"

namespace rafter::lab {

namespace {

std::filesystem::path fresh_path(Device device) {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  localtime_r(&now, &parts);
  char stamp[32];
  std::strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &parts);
  return base::results_folder() / fmt::format("{}-{}-{}.json", stamp, name(device), getpid());
}

}  // namespace

ResultsFile::ResultsFile(const std::string& path, Device device, int n_threads, const Parameter* swept,
                         const nlohmann::json* run)
    : path_(path.empty() ? fresh_path(device) : std::filesystem::path(path)), swept_(swept) {
  try {
    if (!to_stdout()) base::require_writable(path_);
  } catch (const Error& error) {
    if (!path.empty()) throw;
    throw Error(ErrorCode::io, fmt::format("{}; name another file with --json FILE", error.what()));
  }
  machine_ = std::make_shared<nlohmann::json>(fingerprint(device, n_threads));
  if (run != nullptr) run_ = std::make_shared<nlohmann::json>(*run);
}

void ResultsFile::name_sources(std::span<const std::filesystem::path> sources) {
  nlohmann::json named = nlohmann::json::array();
  for (const std::filesystem::path& source : sources) {
    if (const auto text = base::read_file(source))
      named.push_back({{"file", source.string()}, {"sha256", base::hex(base::sha256(*text))}});
  }
  sources_ = std::make_shared<nlohmann::json>(std::move(named));
}

bool ResultsFile::to_stdout() const noexcept { return path_ == "-" || path_ == "/dev/stdout"; }

void ResultsFile::keep(const RunRoofs* roofs, std::span<const CaseReport> reports) const {
  if (!to_stdout() && base::is_replaceable(path_)) base::write_file(path_, text(roofs, reports));
}

void ResultsFile::finish(const RunRoofs* roofs, std::span<const CaseReport> reports) const {
  finish(document(roofs, reports));
}

void ResultsFile::finish(const nlohmann::json& document) const {
  const std::string text = document.dump(1) + "\n";
  if (to_stdout()) {
    fmt::print("{}", text);
  } else {
    base::write_file(path_, text);
  }
}

nlohmann::json ResultsFile::document(const RunRoofs* roofs, std::span<const CaseReport> reports) const {
  nlohmann::json document =
      results_json(*machine_, roofs != nullptr ? to_json(*roofs) : nlohmann::json::object(), reports, swept_);
  document["command"] = "rafter " + base::shell_quoted(base::own_arguments());
  if (run_) document["run"] = *run_;
  if (sources_ && !sources_->empty()) document["sources"] = *sources_;
  return document;
}

std::string ResultsFile::text(const RunRoofs* roofs, std::span<const CaseReport> reports) const {
  return document(roofs, reports).dump(1) + "\n";
}

}  // namespace rafter::lab
