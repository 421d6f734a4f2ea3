#include "executor/process/options.hpp"

#include <cstdlib>
#include <stdexcept>

namespace rafter::simt {
namespace {

Mode mode_called(const std::string& name) {
  if (name == "plain") return Mode::plain;
  if (name == "check") return Mode::check;
  if (name == "count") return Mode::count;
  throw std::runtime_error("RAFTER_SIMT: unknown mode '" + name + "'; expected plain, check or count");
}

void set(Options& options, const std::string& key, const std::string& value) {
  if (key == "mode") {
    options.mode = mode_called(value);
  } else if (key == "schedule") {
    options.schedule = std::strtoull(value.c_str(), nullptr, 10);
  } else if (key == "workers") {
    options.n_workers = std::atoi(value.c_str());
  } else if (key == "in_step") {
    options.in_step = value == "1";
  } else if (key == "leaks") {
    options.leaks = value == "1";
  } else if (key == "isolate") {
    options.isolate = value == "1";
  } else if (key == "strict") {
    options.strict = value == "1";
  } else if (key == "judged") {
    options.judged = value == "1";
  } else if (key == "sample") {
    options.sample = std::atoll(value.c_str());
  } else if (key == "capability") {
    options.capability = std::atoi(value.c_str());
  } else if (key == "time_limit") {
    options.time_limit_s = std::atof(value.c_str());
  } else if (key == "launch_limit") {
    options.launch_limit_s = std::atof(value.c_str());
  } else if (key == "program_limit") {
    options.program_limit_s = std::atof(value.c_str());
  } else if (key == "report") {
    options.report_path = value;
  } else {
    throw std::runtime_error("RAFTER_SIMT: unknown option '" + key + "'");
  }
}

Options& current() {
  // Never destroyed: the report is written after the program's static objects are gone.
  static Options& options = *new Options([] {
    const char* text = std::getenv("RAFTER_SIMT");
    return text ? parse_options(text) : Options{};
  }());
  return options;
}

}  // namespace

Options parse_options(std::string_view text) {
  Options options;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(';'));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    const std::size_t equals = word.find('=');
    if (word.empty()) continue;
    if (equals == std::string_view::npos)
      throw std::runtime_error("RAFTER_SIMT: expected key=value, got '" + std::string(word) + "'");
    set(options, std::string(word.substr(0, equals)), std::string(word.substr(equals + 1)));
  }
  return options;
}

const Options& options() { return current(); }
void set_options(const Options& options) { current() = options; }

}  // namespace rafter::simt
