#include "workbench/tune/cache.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "base/files.hpp"
#include "base/new_file.hpp"
#include "base/sha256.hpp"
#include "rafter/error.hpp"

namespace rafter::tune {

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr int format_version = 1;

/// The folders of the options -I, -isystem, -iquote and --include-path, and the files of -include.
struct IncludeOptions {
  std::vector<fs::path> folders{};
  std::vector<fs::path> files{};
};

IncludeOptions include_options(const std::vector<std::string>& build) {
  IncludeOptions found;
  for (std::size_t i = 0; i < build.size(); ++i) {
    for (const std::string option : {"-I", "--include-path", "-isystem", "-iquote", "-include", "--pre-include"}) {
      if (!build[i].starts_with(option)) continue;
      std::string value = build[i].substr(option.size());
      if (value.starts_with("=")) value.erase(0, 1);
      if (value.empty() && i + 1 < build.size()) value = build[i + 1];
      (option.ends_with("-include") && option != "-I" ? found.files : found.folders).emplace_back(value);
      break;
    }
  }
  return found;
}

/// Adds a file and, in their order, the files that it includes and that exist in the folders. Those of the compiler and
/// of the toolkit are part of the machine.
void collect(const fs::path& file, const std::vector<fs::path>& folders, std::set<fs::path>& seen,
             std::vector<std::pair<fs::path, std::string>>& contents) {
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(file, error);
  if (!seen.insert(whole).second) return;
  const auto text = base::read_file(file);
  if (!text) throw Error(ErrorCode::io, fmt::format("cannot read '{}'", file.string()));
  contents.emplace_back(file, *text);
  static const std::regex include(R"(^\s*#\s*include(?:_next)?\s*(?:"([^"]+)\"|<([^>]+)>|(\S+)))");
  std::istringstream lines(*text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::smatch match;
    if (line.find("include") == std::string::npos || !std::regex_search(line, match, include)) continue;
    if (match[3].matched)
      throw Error(ErrorCode::bad_argument,
                  fmt::format("--cache: {}:{} includes a file whose name is a macro, {}; whether the trials of an "
                              "earlier run still hold cannot be known",
                              file.string(), number, match[3].str()));
    std::vector<fs::path> places = folders;
    if (match[1].matched) places.insert(places.begin(), file.parent_path());
    const std::string name = match[1].matched ? match[1].str() : match[2].str();
    for (const fs::path& place : places) {
      if (!fs::is_regular_file(place / name, error)) continue;
      collect(place / name, folders, seen, contents);
      break;
    }
  }
}

std::string line_of(const std::string& key, const Space& space, const Trial& trial) {
  json line{{"rafter_tune", format_version},
            {"key", key},
            {"point", name_of(space, trial.point)},
            {"status", trial.status},
            {"reason", trial.reason},
            {"rounds", trial.rounds},
            {"compile_ms", trial.compile_ms},
            {"when", trial.when}};
  if (trial.ns) line["least_ns"] = *trial.ns;
  if (trial.estimate_ns) line["estimate_ns"] = *trial.estimate_ns;
  if (trial.bytes_moved) line["bytes_moved"] = *trial.bytes_moved;
  if (trial.energy_j) line["energy_j"] = *trial.energy_j;
  return line.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

Trial trial_of(const json& line) {
  Trial trial{.status = line.at("status"),
              .reason = line.at("reason"),
              .rounds = line.at("rounds"),
              .compile_ms = line.at("compile_ms"),
              .when = line.at("when"),
              .is_from_cache = true};
  if (line.contains("least_ns")) trial.ns = line["least_ns"].get<double>();
  if (line.contains("estimate_ns")) trial.estimate_ns = line["estimate_ns"].get<double>();
  if (line.contains("bytes_moved")) trial.bytes_moved = line["bytes_moved"].get<double>();
  if (line.contains("energy_j")) trial.energy_j = line["energy_j"].get<double>();
  return trial;
}

bool does_not_depend_on_load(const Trial& trial) {
  constexpr std::array<std::string_view, 3> certain{"verified", "wrong", "hazard"};
  return std::find(certain.begin(), certain.end(), trial.status) != certain.end();
}

}  // namespace

std::string CacheKey::digest() const {
  const IncludeOptions options = include_options(build);
  std::set<fs::path> seen;
  std::vector<std::pair<fs::path, std::string>> contents;
  std::error_code error;
  for (const std::string& word : build) {
    if (!word.starts_with("-") && fs::is_regular_file(word, error)) collect(word, options.folders, seen, contents);
  }
  for (const fs::path& file : options.files) {
    if (fs::is_regular_file(file, error)) collect(file, options.folders, seen, contents);
  }
  for (const fs::path& file : inputs) {
    const auto text = base::read_file(file);
    if (!text) throw Error(ErrorCode::io, fmt::format("cannot read '{}'", file.string()));
    contents.emplace_back(file, *text);
  }
  json all{{"task", task}, {"machine", machine}, {"build", build}, {"files", json::array()}};
  for (const auto& [file, text] : contents)
    all["files"].push_back({file.filename().string(), base::hex(base::sha256(text))});
  return base::hex(base::sha256(all.dump(-1, ' ', false, json::error_handler_t::replace)));
}

TrialCache::TrialCache(fs::path file, std::string key, const Space& space)
    : file_(std::move(file)), key_(std::move(key)), space_(space) {
  std::error_code error;
  const fs::file_status status = fs::status(file_, error);
  if (!fs::exists(status)) return;
  if (!fs::is_regular_file(status))
    throw Error(ErrorCode::io, fmt::format("--cache {}: it is not a regular file", file_.string()));
  const auto text = base::read_file(file_);
  if (!text) throw Error(ErrorCode::io, fmt::format("--cache {}: it cannot be read", file_.string()));
  ends_in_line_ = text->empty() || text->ends_with('\n');
  std::istringstream lines(*text);
  bool has_ours = text->empty(), is_torn = false;
  for (std::string line; std::getline(lines, line);) {
    const json one = json::parse(line, nullptr, false);
    const bool is_ours = one.is_object() && one.value("rafter_tune", 0) == format_version;
    has_ours = has_ours || is_ours;
    is_torn = is_torn || (line.starts_with("{") && one.is_discarded());
    if (!is_ours || one.value("key", "") != key_) continue;
    try {
      Trial trial = trial_of(one);
      if (does_not_depend_on_load(trial)) trials_[one.at("point")] = std::move(trial);
    } catch (const json::exception&) {
      continue;  // a line of another program is tried again
    }
  }
  const bool is_only_torn = is_torn && text->find('\n') == std::string::npos;
  if (!has_ours && !is_only_torn)
    throw Error(ErrorCode::bad_argument,
                fmt::format("--cache {}: it is not a cache of 'rafter tune'; name a new file", file_.string()));
}

const Trial* TrialCache::find(const Point& point) const {
  const auto known = trials_.find(name_of(space_, point));
  return known == trials_.end() ? nullptr : &known->second;
}

void TrialCache::add(const std::vector<Trial>& trials) {
  std::string text = ends_in_line_ ? "" : "\n";
  for (const Trial& trial : trials) {
    if (does_not_depend_on_load(trial)) text += line_of(key_, space_, trial);
  }
  if (text.empty() || text == "\n") return;
  std::error_code error;
  fs::create_directories(base::folder_of(file_), error);
  // One write in append mode, so that the lines of concurrent searches do not mix.
  const int file = open(file_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  if (file < 0) base::fail_to_write(file_, errno);
  const std::array<std::string_view, 1> parts{text};
  const int failure = base::write_all(file, parts);
  if (close(file) != 0 || failure != 0) base::fail_to_write(file_, failure != 0 ? failure : errno);
  ends_in_line_ = true;
}

}  // namespace rafter::tune
