// The subset of JSON Schema that docs/results.schema.json uses. Keywords outside of it are errors, so that no rule is
// ignored.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace rafter::lab {

class Schema {
 public:
  explicit Schema(nlohmann::json root) : root_(std::move(root)) {}

  /// Returns the violations in a document, one line each: "results/0/n: is not integer".
  std::vector<std::string> complaints(const nlohmann::json& document) const {
    std::vector<std::string> found;
    check(root_, document, "", found);
    return found;
  }

 private:
  using json = nlohmann::json;

  static bool is_a(const json& value, const std::string& type) {
    if (type == "integer") return value.is_number_integer();
    if (type == "number") return value.is_number();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_boolean();
    if (type == "null") return value.is_null();
    return type == "array" ? value.is_array() : type == "object" && value.is_object();
  }

  void check(const json& rules, const json& value, const std::string& at, std::vector<std::string>& found) const {
    const auto complain = [&](const std::string& what) { found.push_back((at.empty() ? "it" : at) + ": " + what); };
    for (const auto& [word, rule] : rules.items()) {
      if (word == "$ref") {
        check(root_.at(json::json_pointer(rule.get<std::string>().substr(1))), value, at, found);
      } else if (word == "type") {
        const json types = rule.is_array() ? rule : json::array({rule});
        const bool fits = std::any_of(types.begin(), types.end(), [&](const json& type) { return is_a(value, type); });
        if (!fits) complain("is not " + rule.dump());
      } else if (word == "enum") {
        if (std::find(rule.begin(), rule.end(), value) == rule.end())
          complain(value.dump() + " is not one of " + rule.dump());
      } else if (word == "minimum") {
        if (value.is_number() && value < rule) complain("is less than " + rule.dump());
      } else if (word == "minItems" || word == "maxItems") {
        const auto n = rule.get<std::size_t>();
        if (value.is_array() && (word == "minItems" ? value.size() < n : value.size() > n))
          complain("violates " + word + " " + rule.dump());
      } else if (word == "required") {
        for (const json& name : rule) {
          if (value.is_object() && !value.contains(name.get<std::string>())) complain("has no " + name.dump());
        }
      } else if (word == "items") {
        for (std::size_t i = 0; value.is_array() && i < value.size(); ++i)
          check(rule, value[i], at + "/" + std::to_string(i), found);
      } else if (word == "properties" || word == "additionalProperties") {
        if (value.is_object() && word == "additionalProperties") check_others(rules, value, at, found);
        for (const auto& [name, rules_of_name] : rule.items()) {
          if (word == "properties" && value.is_object() && value.contains(name))
            check(rules_of_name, value[name], at + "/" + name, found);
        }
      } else if (word != "$schema" && word != "$defs" && word != "title" && word != "description") {
        complain("the keyword " + word + " of the schema is not supported");
      }
    }
  }

  void check_others(const json& rules, const json& value, const std::string& at,
                    std::vector<std::string>& found) const {
    const json& rule = rules["additionalProperties"];
    const json known = rules.value("properties", json::object());
    for (const auto& [name, inner] : value.items()) {
      if (known.contains(name)) continue;
      if (rule == false) {
        found.push_back(at + "/" + name + ": is not in the schema");
      } else {
        check(rule, inner, at + "/" + name, found);
      }
    }
  }

  json root_;
};

}  // namespace rafter::lab
