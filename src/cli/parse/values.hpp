// Validators, and options of several commands. Only for parse.cpp: CLI11 is slow to compile.
#pragma once

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdlib>

#include "base/outputs.hpp"

namespace rafter::cli {

/// Accepts whole numbers from 1 on.
inline CLI::Validator from_one() {
  return {[](const std::string& text) {
            const bool is_number = text.find_first_not_of("0123456789") == std::string::npos;
            const bool is_zero = text.find_first_not_of('0') == std::string::npos;
            return is_number && !is_zero ? "" : "expected a whole number from 1 on, got '" + text + "'";
          },
          ""};
}

/// Accepts positive finite numbers.
inline CLI::Validator above_zero() {
  return {[](const std::string& text) {
            char* end = nullptr;
            const double value = std::strtod(text.c_str(), &end);
            const bool is_number = end != text.c_str() && *end == '\0' && std::isfinite(value);
            return is_number && value > 0 ? "" : "expected a number above 0, got '" + text + "'";
          },
          ""};
}

/// The type name of outputs whose file may be left out even before another word: they once were flags.
inline constexpr const char* optional_file = "[FILE]";

/// Adds --json to a command whose result is a table.
inline CLI::Option* add_json(CLI::App& sub, base::Formats& formats, const char* what = "As JSON, here") {
  return sub.add_option("--json", formats.json, what)->type_name(optional_file);
}

/// Adds --json and --csv.
inline void add_formats(CLI::App& sub, base::Formats& formats, const char* csv_is = "As CSV") {
  add_json(sub, formats);
  sub.add_option("--csv", formats.csv, csv_is)->type_name(optional_file);
}

/// Adds --sign to a command that writes a results file.
inline void add_sign(CLI::App& sub, std::string& key) {
  sub.add_option("--sign", key, "Sign the --json FILE with this SSH key, into FILE.sig; 'rafter verify' checks it")
      ->type_name("KEY");
}

/// Adds --load to a command that uses workloads.
inline void add_load(CLI::App& sub, std::vector<std::string>& folders) {
  sub.add_option("--load", folders, "FOLDER of a workload of yours, instead of the built-in ones (repeatable)")
      ->allow_extra_args(false);
}

}  // namespace rafter::cli
