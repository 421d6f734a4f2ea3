#include "workbench/trial/own/exercise_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/files.hpp"
#include "base/messages.hpp"
#include "rafter/error.hpp"

namespace rafter::trial {

using nlohmann::json;

ExerciseFile::ExerciseFile(const std::filesystem::path& path) : where_(path.string()) {
  const auto text = base::read_file(path);
  if (!text) throw Error(ErrorCode::io, fmt::format("cannot read {}", where_));
  try {
    values_ = json::parse(*text, nullptr, true, true);
  } catch (const json::parse_error& error) {
    const auto end = text->begin() + static_cast<std::ptrdiff_t>(std::min(error.byte, text->size()));
    refuse(fmt::format("line {} is not JSON", 1 + std::count(text->begin(), end, '\n')));
  }
  if (!values_.is_object()) refuse("an object was expected: { \"kernel\": ... }");
}

void ExerciseFile::refuse(const std::string& why) const {
  throw Error(ErrorCode::bad_argument, fmt::format("{}: {}", where_, why));
}

void ExerciseFile::guarded(const std::function<void()>& call) const {
  try {
    call();
  } catch (const Error& error) {
    refuse(error.what());
  }
}

void ExerciseFile::require_known(const std::vector<std::string>& keys) const {
  for (const auto& [key, ignored] : values_.items()) {
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) refuse(base::unknown_name("key", key, keys));
  }
}

const json& ExerciseFile::value(const std::string& key) const {
  if (!has(key)) refuse(fmt::format("'{}' is missing", key));
  return values_.at(key);
}

ExerciseFile ExerciseFile::part(const std::string& key) const {
  const json& object = value(key);
  if (!object.is_object()) refuse(fmt::format("'{}' is not an object in braces", key));
  return {fmt::format("{}: {}", where_, key), object};
}

std::string ExerciseFile::text(const std::string& key) const {
  const json& text = value(key);
  if (!text.is_string() || text.get<std::string>().empty()) refuse(fmt::format("'{}' is not a text", key));
  return text.get<std::string>();
}

std::string ExerciseFile::text(const std::string& key, const std::string& otherwise) const {
  return has(key) ? text(key) : otherwise;
}

std::string ExerciseFile::words(const std::string& key) const {
  const json& from = value(key);
  const json all = from.is_array() ? from : json::array({from});
  std::string words;
  for (const json& one : all) {
    if (!one.is_string() && !one.is_number()) refuse(fmt::format("'{}' is not a number or a text", key));
    words += (words.empty() ? "" : ",") + (one.is_string() ? one.get<std::string>() : one.dump());
  }
  return words;
}

double ExerciseFile::number(const std::string& key, double otherwise) const {
  if (!has(key)) return otherwise;
  if (!value(key).is_number()) refuse(fmt::format("'{}' is not a number", key));
  return value(key).get<double>();
}

bool ExerciseFile::flag(const std::string& key, bool otherwise) const {
  if (!has(key)) return otherwise;
  if (!value(key).is_boolean()) refuse(fmt::format("'{}' is true or false", key));
  return value(key).get<bool>();
}

json ExerciseFile::list(const std::string& key) const {
  const json& list = value(key);
  if (!list.is_array() || list.empty()) refuse(fmt::format("'{}' is not a list with at least one entry", key));
  return list;
}

base::Expression ExerciseFile::expression(const std::string& key) const {
  try {
    return base::Expression(words(key));
  } catch (const Error& error) {
    refuse(fmt::format("'{}': {}", key, error.what()));
  }
}

void ExerciseFile::require_names(const std::string& key, const std::string& text,
                                 const std::vector<std::string>& names) const {
  try {
    const base::Expression parsed(text);
    for (const std::string& name : parsed.names()) {
      if (std::find(names.begin(), names.end(), name) == names.end())
        refuse(fmt::format("'{}': {}", key, base::unknown_name("name", name, names)));
    }
  } catch (const Error& error) {
    if (std::string(error.what()).starts_with(where_)) throw;
    refuse(fmt::format("'{}': {}", key, error.what()));
  }
}

double ExerciseFile::evaluated(const base::Expression& expression, const base::Names& names,
                               const std::string& what) const {
  std::vector<std::string> known;
  for (const auto& [name, ignored] : names) known.push_back(name);
  require_names(what, expression.text(), known);
  try {
    return expression.evaluate(names);
  } catch (const Error& error) {
    refuse(fmt::format("{}: {}", what, error.what()));
  }
}

}  // namespace rafter::trial
