#include "executor/build/sources.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/files.hpp"
#include "base/sandbox/sandbox.hpp"
#include "rafter/error.hpp"

namespace rafter::simt::build {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";  // would not be at the beginning of a copy

fs::path real_path(const fs::path& path) {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);  // a header with two names gets a single copy
  return error ? fs::absolute(path).lexically_normal() : real;
}

// What is hidden from the compiler of untrusted sources does not exist here either.
bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && base::may_read(path);
}

}  // namespace

void Sources::add(const fs::path& source) { load(real_path(source), source.string()); }

fs::path Sources::resolve(const Include& include, const fs::path& from) const {
  if (fs::path(include.name).is_absolute()) return is_file(include.name) ? fs::path(include.name) : fs::path();
  if (!include.angled && is_file(from.parent_path() / include.name)) return from.parent_path() / include.name;
  for (const fs::path& folder : include_dirs_) {
    if (is_file(folder / include.name)) return folder / include.name;
  }
  return {};
}

void Sources::load(const fs::path& path, const std::string& shown) {
  if (files_.contains(path)) return;
  std::optional<std::string> text = is_file(path) ? base::read_file(path) : std::nullopt;
  if (!text) throw Error(ErrorCode::io, fmt::format("cannot read '{}'", shown));
  File& file = files_[path];
  file.shown = shown;
  file.text = std::move(*text);
  if (file.text.starts_with(byte_order_mark)) file.text.erase(0, byte_order_mark.size());
  const Tokens tokens(file.text);
  collect_macros(tokens, options_.macros);
  options_.callees.add(tokens, Scopes(tokens));
  for (const Include& include : includes(tokens)) {
    const fs::path found = resolve(include, shown);
    if (found.empty()) {
      file.outside.push_back(include.name);
      continue;
    }
    file.includes.push_back(real_path(found));
    load(real_path(found), found.lexically_normal().string());
  }
}

/// Marks files for copying: files that change, and files that include a copied file.
void Sources::examine() {
  options_.callees.propagate(options_.macros);
  for (auto& [path, file] : files_) {
    const Rewritten rewritten = rewrite(file.text, file.shown, options_);
    file.depends_on_side = rewritten.depends_on_side;
    file.needs_copy = rewritten.changed || rewritten.depends_on_side;
    inter_block_ = inter_block_ || rewritten.inter_block;
    names_volatile_ = names_volatile_ || rewritten.names_volatile;
    declares_arrays_ = declares_arrays_ || rewritten.declares_arrays;
    has_lanes_ = has_lanes_ || rewritten.has_lanes;
    has_computed_include_ = has_computed_include_ || rewritten.has_computed_include;
    headers_.insert(rewritten.headers.begin(), rewritten.headers.end());
    device_names_.insert(rewritten.device_names.begin(), rewritten.device_names.end());
    common_names_.insert(rewritten.common_names.begin(), rewritten.common_names.end());
  }
  for (bool again = true; again;) {
    again = false;
    for (auto& [path, file] : files_) {
      for (const fs::path& include : file.includes) {
        if (file.needs_copy || !files_[include].needs_copy) continue;
        file.needs_copy = again = true;
      }
    }
  }
}

fs::path Sources::write_copy(const fs::path& source, const fs::path& folder, const std::string& preamble, Side side) {
  files_.at(real_path(source)).needs_copy = true;
  const fs::path written = copy(real_path(source), folder, side);
  // Before the preamble's macros, whose names the executor's headers may use.
  std::string headers;
  if (side != Side::both) headers = include_lines("rafter_simt/launch/sides.hpp");
  if (side == Side::host) headers.insert(0, "#define RAFTER_SIMT_HOST_SIDE\n");
  for (const std::string& header : headers_) headers += include_lines(header);
  if (!preamble.empty()) base::write_file(written, headers + preamble + base::read_file(written).value_or(""));
  return written;
}

std::vector<fs::path> Sources::reached(const fs::path& source) const {
  std::vector<fs::path> found{real_path(source)};
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const fs::path& include : files_.at(found[i]).includes) {
      if (std::find(found.begin(), found.end(), include) == found.end()) found.push_back(include);
    }
  }
  return found;
}

std::vector<std::string> Sources::includes_outside(const fs::path& source) const {
  std::vector<std::string> names;
  for (const fs::path& path : reached(source)) {
    const std::vector<std::string>& outside = files_.at(path).outside;
    names.insert(names.end(), outside.begin(), outside.end());
  }
  return names;
}

bool Sources::depends_on_side(const fs::path& source) const {
  const std::vector<fs::path> files = reached(source);
  return std::any_of(files.begin(), files.end(), [&](const fs::path& path) { return files_.at(path).depends_on_side; });
}

bool Sources::uses_toolkit(const fs::path& own_headers) const {
  const auto is_foreign = [&](const std::string& name) {
    std::error_code error;
    return name.starts_with("thrust/") || (name.starts_with("cuda/") && !fs::exists(own_headers / name, error));
  };
  return std::any_of(files_.begin(), files_.end(), [&](const auto& file) {
    return std::any_of(file.second.outside.begin(), file.second.outside.end(), is_foreign);
  });
}

fs::path Sources::copy(const fs::path& path, const fs::path& folder, Side side) {
  File& file = files_.at(path);
  if (!file.needs_copy) return path;
  if (const auto known = file.copies.find(side); known != file.copies.end()) return known->second;
  const bool is_source = path.extension() == ".cu";
  const fs::path written =
      folder / fmt::format("{}_{}{}", copies_.size(), path.filename().string(), is_source ? ".cpp" : "");
  file.copies[side] = written;
  copies_[written.string()] = file.shown;
  RewriteOptions options = options_;
  options.side = side;
  options.redirect = [&](const Include& include) -> std::optional<std::string> {
    const fs::path found = resolve(include, file.shown);
    if (found.empty()) return std::nullopt;
    return copy(real_path(found), folder, side).string();
  };
  base::write_file(written, rewrite(file.text, file.shown, options).text);
  return written;
}

std::map<fs::path, std::string> Sources::texts() const {
  std::map<fs::path, std::string> result;
  for (const auto& [path, file] : files_) result[path] = file.text;
  return result;
}

}  // namespace rafter::simt::build
