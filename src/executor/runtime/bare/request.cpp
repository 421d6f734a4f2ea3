#include "executor/runtime/bare/request.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace rafter::simt {
namespace {

void parse_extents(const std::string& option, const std::string& text, unsigned (&extents)[3]) {
  const char* at = text.c_str();
  for (int i = 0; i < 3; ++i) {
    char* end = nullptr;
    const unsigned long value = std::strtoul(at, &end, 10);
    const bool good =
        end != at && *at != '-' && value > 0 && value <= 0x7fffffff && (*end == '\0' || (*end == ',' && i < 2));
    if (!good) throw BareError{option + " " + text + ": expected X, X,Y or X,Y,Z, all at least 1"};
    extents[i] = static_cast<unsigned>(value);
    if (*end == '\0') return;
    at = end + 1;
  }
}

/// Throws BareError for more blocks or threads than a launch can have.
void check_limits(const BareRequest& request) {
  const auto text = [](const unsigned(&e)[3]) {
    return std::to_string(e[0]) + "," + std::to_string(e[1]) + "," + std::to_string(e[2]);
  };
  const unsigned long long n_threads = 1ULL * request.block[0] * request.block[1] * request.block[2];
  if (n_threads > 1024 || request.block[2] > 64)
    throw BareError{"--block " + text(request.block) + ": a block has at most 1024 threads, and 64 along z"};
  if (request.grid[1] > 65535 || request.grid[2] > 65535)
    throw BareError{"--grid " + text(request.grid) + ": a grid has at most 65535 blocks along y and z"};
}

std::size_t parse_bytes(const std::string& option, const std::string& text) {
  if (text.empty() || text.size() > 18 || text.find_first_not_of("0123456789") != std::string::npos)
    throw BareError{option + " " + text + ": expected a number of bytes, such as 49152"};
  return static_cast<std::size_t>(std::strtoull(text.c_str(), nullptr, 10));
}

/// Returns the edit distance of two words, to suggest the intended one.
std::size_t word_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t next = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = std::exchange(row[j], next);
    }
  }
  return row[b.size()];
}

std::string signature(const char* kernel, const std::vector<Parameter>& parameters) {
  std::string text = std::string(kernel) + "(";
  for (const Parameter& parameter : parameters)
    text += (text.back() == '(' ? "" : ", ") + (parameter.type.empty() ? "?" : parameter.text()) + " " + parameter.name;
  return text + ")";
}

}  // namespace

BareRequest parse_request(int argc, char** argv) {
  BareRequest request;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (i + 1 == argc) throw BareError{"'" + option + "' needs a value"};
    const std::string value = argv[++i];
    const std::size_t equals = value.find('=');
    if (option == "--grid")
      parse_extents(option, value, request.grid);
    else if (option == "--block")
      parse_extents(option, value, request.block);
    else if (option == "--shared")
      request.shared_bytes = parse_bytes(option, value);
    else if (option == "--show")
      request.shows_arrays = value == "arrays";
    else if ((option == "--arg" || option == "--save") && equals != std::string::npos && equals > 0) {
      auto& list = option == "--arg" ? request.arguments : request.saves;
      if (!list.emplace(value.substr(0, equals), value.substr(equals + 1)).second)
        throw BareError{option + " " + value.substr(0, equals) + " was given twice"};
    } else {
      throw BareError{option + " " + value +
                      ": expected --grid, --block, --shared, --arg NAME=TYPE[SHAPE]:FILL or --save NAME=FILE.npy"};
    }
  }
  check_limits(request);
  return request;
}

void check_names(const char* kernel, const BareRequest& request, const std::vector<Parameter>& parameters) {
  for (const auto* list : {&request.arguments, &request.saves}) {
    for (const auto& entry : *list) {
      const std::string& name = entry.first;
      const Parameter* nearest = nullptr;
      for (const Parameter& parameter : parameters) {
        if (nearest == nullptr || word_distance(name, parameter.name) < word_distance(name, nearest->name))
          nearest = &parameter;
      }
      if (nearest != nullptr && nearest->name == name) continue;
      const bool near = nearest != nullptr && word_distance(name, nearest->name) <= (name.size() + 1) / 2;
      throw BareError{"the kernel has no parameter '" + name + "'" +
                      (near ? ": did you mean '" + nearest->name + "'?" : "") + "\n" + signature(kernel, parameters)};
    }
  }
  std::string missing;
  for (const Parameter& parameter : parameters) {
    if (request.arguments.count(parameter.name) == 0) missing += (missing.empty() ? "" : ", ") + parameter.name;
  }
  if (!missing.empty()) throw BareError{"no --arg for " + missing + "\n" + signature(kernel, parameters)};
}

}  // namespace rafter::simt
