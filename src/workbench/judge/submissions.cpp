#include "workbench/judge/submissions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/files.hpp"
#include "base/sha256.hpp"
#include "rafter/error.hpp"
#include "workbench/trial/challenge/solution.hpp"

namespace rafter::judge {

namespace fs = std::filesystem;

namespace {

bool is_submission(const fs::path& file, Kinds kinds) {
  return file.extension() == ".cu" || (kinds == Kinds::sources_and_solutions && trial::is_solution(file.string()));
}

std::vector<fs::path> files_in(const fs::path& folder, Kinds kinds) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry :
       fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied)) {
    if (entry.is_regular_file() && is_submission(entry.path(), kinds)) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  if (files.empty())
    throw Error(ErrorCode::bad_argument,
                fmt::format("there is no CUDA source, FILE.cu{}, in '{}'",
                            kinds == Kinds::sources ? "" : ", and no solution, FILE.json", folder.string()));
  return files;
}

}  // namespace

std::string sha256_of(const std::string& file) {
  const std::optional<std::string> content = base::read_file(file);
  return content ? base::hex(base::sha256(*content)) : "";
}

std::vector<Submission> find_submissions(const std::vector<std::string>& paths, Kinds kinds) {
  std::vector<Submission> found;
  std::set<fs::path> known;
  const auto add = [&](const fs::path& file) {
    if (!known.insert(fs::weakly_canonical(file)).second) return;
    std::string sha256 = sha256_of(file.string());
    if (sha256.empty()) throw Error(ErrorCode::io, fmt::format("cannot read '{}'", file.string()));
    found.push_back({file.string(), std::move(sha256)});
  };
  for (const fs::path path : paths) {
    const fs::file_status status = fs::status(path);
    if (!fs::exists(status)) throw Error(ErrorCode::io, fmt::format("there is no file or folder '{}'", path.string()));
    if (fs::is_directory(status)) {
      for (const fs::path& file : files_in(path, kinds)) add(file);
    } else if (fs::is_regular_file(status)) {
      add(path);
    } else {
      throw Error(ErrorCode::bad_argument, fmt::format("'{}' is neither a file nor a folder", path.string()));
    }
  }
  if (found.empty()) throw Error(ErrorCode::bad_argument, "there is nothing to judge");
  return found;
}

}  // namespace rafter::judge
