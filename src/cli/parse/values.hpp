// What values of options must be, and options that several commands have; for parse.cpp alone: CLI11 is slow to
// compile.
#pragma once

#include <CLI/CLI.hpp>

namespace rafter::cli {

/// 1 or more.
inline CLI::Validator from_one() {
  return {[](const std::string& text) {
            const bool is_number = text.find_first_not_of("0123456789") == std::string::npos;
            const bool is_zero = text.find_first_not_of('0') == std::string::npos;
            return is_number && !is_zero ? "" : "expected a whole number from 1 on, got '" + text + "'";
          },
          ""};
}

/// --json and --csv of a command whose output is one or the other.
inline void add_formats(CLI::App& sub, bool& json, bool& csv, const char* csv_is = "As CSV") {
  CLI::Option* as_json = sub.add_flag("--json", json, "As JSON");
  sub.add_flag("--csv", csv, csv_is)->excludes(as_json);
}

/// Of commands that know workloads.
inline void add_load(CLI::App& sub, std::vector<std::string>& folders) {
  sub.add_option("--load", folders, "FOLDER of a workload of yours, in place of ours (repeatable)")
      ->allow_extra_args(false);
}

}  // namespace rafter::cli
