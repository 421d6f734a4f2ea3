#include "workbench/explain/ptx.hpp"

#include <cxxabi.h>

#include <cctype>
#include <cstdlib>
#include <map>
#include <memory>
#include <sstream>

#include "base/ptx.hpp"

namespace rafter::explain {

namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '.'; }

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// Splits operands at top-level commas; braces and brackets stay together.
std::vector<std::string> operands_of(const std::string& text) {
  std::vector<std::string> all(1);
  int depth = 0;
  for (const char c : text) {
    depth += (c == '{' || c == '[' || c == '(') - (c == '}' || c == ']' || c == ')');
    if (c == ',' && depth == 0) {
      all.emplace_back();
    } else {
      all.back() += c;
    }
  }
  return all;
}

bool has_result(const std::string& op) {
  const base::PtxMnemonic* known = base::find_ptx_mnemonic(op);
  return known == nullptr || known->result == base::PtxResult::value;
}

/// Reads the text of one kernel line by line.
class KernelReader {
 public:
  explicit KernelReader(std::string symbol, const std::map<int, std::string>& files) : files_(files) {
    kernel_.symbol = symbol;
    kernel_.name = kernel_name(symbol);
    kernel_.blocks.emplace_back();
  }

  void read(const std::string& line) {
    if (line.empty() || line.starts_with("//")) return;
    if (line.starts_with(".loc")) return locate(line);
    if (line.starts_with(".") || line == "{" || line == "}") return;
    if (line.back() == ':') return label(line.substr(0, line.size() - 1));
    pending_ += (pending_.empty() ? "" : " ") + line;
    if (pending_.back() != ';') return;
    instruction(pending_.substr(0, pending_.size() - 1));
    pending_.clear();
  }

  PtxKernel finish() {
    find_loops();
    return std::move(kernel_);
  }

 private:
  void locate(const std::string& line) {
    std::istringstream words(line.substr(4));
    int file = 0;
    if (int number = 0; words >> file >> number && number > 0) {
      line_ = number;
      if (const auto found = files_.find(file); found != files_.end()) file_ = found->second;
    }
  }

  void label(const std::string& name) {
    if (!kernel_.blocks.back().code.empty()) kernel_.blocks.emplace_back();
    labels_[name] = static_cast<int>(kernel_.blocks.size()) - 1;
  }

  int number_of(const std::string& name) {
    return registers_.emplace(name, static_cast<int>(registers_.size())).first->second;
  }

  std::vector<int> registers_in(const std::string& text) {
    std::vector<int> found;
    for (std::size_t at = text.find('%'); at != std::string::npos; at = text.find('%', at + 1)) {
      std::size_t end = at + 1;
      while (end < text.size() && is_word(text[end])) ++end;
      const std::string name = text.substr(at, end - at);
      if (std::isdigit(static_cast<unsigned char>(name.back())) != 0) found.push_back(number_of(name));
    }
    return found;
  }

  void instruction(std::string text) {
    PtxInstruction made;
    if (text.starts_with("@")) {
      const auto space = text.find(' ');
      made.reads = registers_in(text.substr(0, space));
      text = trimmed(text.substr(space));
    }
    const auto end = text.find_first_of(" \t");
    made.op = text.substr(0, end);
    made.file = file_;
    made.line = line_;
    const auto operands = operands_of(end == std::string::npos ? "" : text.substr(end));
    const bool writes = has_result(made.op);
    for (std::size_t i = 0; i < operands.size(); ++i) {
      auto& list = writes && i == 0 ? made.writes : made.reads;
      for (const int number : registers_in(operands[i])) list.push_back(number);
    }
    if (made.op.starts_with("add.s") && operands.size() == 3 && operands[0].find('%') != std::string::npos &&
        trimmed(operands[0]) == trimmed(operands[1]))
      made.step = std::strtol(operands[2].c_str(), nullptr, 10);
    const bool is_jump = made.op.starts_with("bra");
    if (is_jump && !operands.empty())
      jumps_.emplace_back(static_cast<int>(kernel_.blocks.size()) - 1, trimmed(operands[0]));
    kernel_.blocks.back().code.push_back(std::move(made));
    if (is_jump) kernel_.blocks.emplace_back();
  }

  void find_loops() {
    for (const auto& [from, target] : jumps_) {
      const auto found = labels_.find(target);
      if (found == labels_.end() || found->second > from) continue;
      kernel_.loops.push_back({found->second, from});
    }
    for (int b = 0; b < static_cast<int>(kernel_.blocks.size()); ++b) {
      int best = -1;
      for (int i = 0; i < static_cast<int>(kernel_.loops.size()); ++i) {
        const auto& [first, last] = kernel_.loops[static_cast<std::size_t>(i)];
        if (b < first || b > last) continue;
        const auto size = [&](int k) {
          const PtxLoop& loop = kernel_.loops[static_cast<std::size_t>(k)];
          return loop.last - loop.first;
        };
        if (best < 0 || size(i) < size(best)) best = i;
      }
      kernel_.blocks[static_cast<std::size_t>(b)].loop = best;
    }
  }

  PtxKernel kernel_;
  const std::map<int, std::string>& files_;
  std::map<std::string, int> labels_, registers_;
  std::vector<std::pair<int, std::string>> jumps_;
  std::string file_, pending_;
  int line_ = 0;
};

std::map<int, std::string> files_of(const std::string& text) {
  std::map<int, std::string> files;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::string start = "\t.file\t";
    if (!line.starts_with(start)) continue;
    const auto open = line.find('"'), close = line.find('"', open + 1);
    if (close != std::string::npos)
      files[std::atoi(line.c_str() + start.size())] = line.substr(open + 1, close - open - 1);
  }
  return files;
}

/// Removes the parameters, and "void " before a template's name.
std::string without_parameters(std::string name) {
  int angles = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    angles += (name[i] == '<') - (name[i] == '>');
    if (name[i] == '(' && angles == 0 && !name.substr(i).starts_with("(anonymous")) {
      name.resize(i);
      break;
    }
  }
  return name.starts_with("void ") ? name.substr(5) : name;
}

std::string base_name(const std::string& name) {
  const std::string plain = name.substr(0, name.find('<'));
  const auto colons = plain.rfind("::");
  return colons == std::string::npos ? plain : plain.substr(colons + 2);
}

}  // namespace

std::string kernel_name(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                         &std::free);
  return status == 0 ? without_parameters(name.get()) : symbol;
}

int find_kernel(const std::vector<std::string>& names, const std::string& wanted) {
  const auto first_that = [&](auto&& fits) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (fits(names[i])) return static_cast<int>(i);
    }
    return -1;
  };
  const auto squeezed = [](std::string text) {
    std::erase(text, ' ');
    return text;
  };
  const std::string exact = squeezed(wanted);
  if (const int found = first_that([&](const auto& n) { return squeezed(n) == exact; }); found >= 0) return found;
  return first_that([&](const auto& n) { return base_name(n) == base_name(wanted); });
}

std::vector<PtxKernel> parse_ptx(const std::string& text) {
  const std::map<int, std::string> files = files_of(text);
  std::vector<PtxKernel> kernels;
  std::unique_ptr<KernelReader> reader;
  bool in_body = false;
  int depth = 0;
  std::istringstream lines(text);
  for (std::string raw; std::getline(lines, raw);) {
    const std::string line = trimmed(raw);
    if (const auto entry = line.find(".entry "); entry != std::string::npos && !line.starts_with("//")) {
      std::size_t end = entry + 7;
      while (end < line.size() && is_word(line[end])) ++end;
      reader = std::make_unique<KernelReader>(line.substr(entry + 7, end - entry - 7), files);
      in_body = false;
      depth = 0;
    }
    if (!reader) continue;
    if (line == "{") {
      in_body = true;
      ++depth;
    } else if (line == "}" && --depth == 0) {
      kernels.push_back(reader->finish());
      reader.reset();
    } else if (in_body) {
      reader->read(line);
    }
  }
  return kernels;
}

}  // namespace rafter::explain
