// A JSON file, or one object in it, whose keys are read by name, with messages that name the file and the key.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/expression.hpp"

namespace rafter::trial {

/// All functions throw Error (bad_argument) for what is missing or has another form.
class ExerciseFile {
 public:
  /// Reads the file, which may have comments. Throws Error: io when it cannot be read, bad_argument with the line of a
  /// syntax error.
  explicit ExerciseFile(const std::filesystem::path& path);

  /// Throws an error about the file, or the object.
  [[noreturn]] void refuse(const std::string& why) const;
  /// Calls a function and adds the file to the message of its error.
  void guarded(const std::function<void()>& call) const;
  /// Refuses keys that are not among these, with similar ones.
  void require_known(const std::vector<std::string>& keys) const;

  bool has(const std::string& key) const { return values_.contains(key); }
  bool is_object(const std::string& key) const { return values_.at(key).is_object(); }
  /// An object in this one.
  ExerciseFile part(const std::string& key) const;
  std::string text(const std::string& key) const;
  std::string text(const std::string& key, const std::string& otherwise) const;
  /// A text, a number, or a list of numbers and texts, as one text: [16, 16] is "16,16".
  std::string words(const std::string& key) const;
  double number(const std::string& key, double otherwise) const;
  bool flag(const std::string& key, bool otherwise = false) const;
  /// A list with at least one entry.
  nlohmann::json list(const std::string& key) const;
  base::Expression expression(const std::string& key) const;
  /// Refuses an expression with other names than these.
  void require_names(const std::string& key, const std::string& expression,
                     const std::vector<std::string>& names) const;
  double evaluated(const base::Expression& expression, const base::Names& names, const std::string& what) const;

 private:
  ExerciseFile(std::string where, nlohmann::json values) : where_(std::move(where)), values_(std::move(values)) {}
  const nlohmann::json& value(const std::string& key) const;

  std::string where_;
  nlohmann::json values_;
};

}  // namespace rafter::trial
