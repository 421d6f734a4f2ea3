#include "executor/build/rewrite/ptx/ptx.hpp"

#include <algorithm>
#include <cctype>

#include "executor/build/rewrite/ptx/instructions.hpp"

namespace rafter::simt::build {

namespace ptx {
namespace {

class Translator {
 public:
  explicit Translator(const std::vector<AsmOperand>& operands) : operands_(operands), all_(operands) {}

  std::optional<std::string> translate(std::string code) {
    std::erase_if(code, [](char c) { return c == '\r'; });
    for (std::size_t at; (at = code.find("//")) != std::string::npos;)
      code.erase(at, std::min(code.find('\n', at), code.size()) - at);
    for (std::size_t at; (at = code.find("%%")) != std::string::npos;) code.replace(at, 2, "%");
    code = stripped(code);
    while (code.starts_with("{") && code.ends_with("}")) code = stripped(code.substr(1, code.size() - 2));
    std::string body;
    for (std::size_t i = 0; i < operands_.size(); ++i) {
      const std::string number = std::to_string(i);
      body += "auto rafter_simt_v" + number +
              " = ::rafter_simt::ptx::" + (operands_[i].is_read() ? "bits(rafter_simt_" + number + "); " : "Bits(0); ");
    }
    for (const std::string& line : split(code, ';')) {
      const auto statement = line.starts_with(".reg") ? declare(line) : instruction(line);
      if (!statement) return std::nullopt;
      body += *statement;
    }
    for (std::size_t i = 0; i < operands_.size(); ++i) {
      const std::string number = std::to_string(i);
      if (operands_[i].is_written())
        body += "::rafter_simt::ptx::set(rafter_simt_" + number + ", rafter_simt_v" + number + "); ";
    }
    return body;
  }

 private:
  /// Translates `.reg .pred p, q`.
  std::optional<std::string> declare(const std::string& line) {
    const std::size_t type = line.find('.', 4), names = line.find_first_of(" \t", type);
    if (type == std::string::npos || names == std::string::npos) return std::nullopt;
    std::string text;
    for (const std::string& name : split(line.substr(names), ',')) {
      const bool is_plain = std::all_of(name.begin(), name.end(), [](char c) { return std::isalnum(c) || c == '_'; });
      if (!is_plain) return std::nullopt;
      all_.declare(name);
      text += "::rafter_simt::ptx::Bits rafter_simt_r_" + name + " = 0; ";
    }
    return text;
  }

  std::optional<std::string> instruction(const std::string& line) const {
    std::string text = line, condition;
    if (text.starts_with("@")) {
      const std::size_t end = text.find_first_of(" \t");
      if (end == std::string::npos) return std::nullopt;
      const bool is_negated = text[1] == '!';
      const auto predicate = all_.value(text.substr(is_negated ? 2 : 1, end - (is_negated ? 2 : 1)));
      if (!predicate) return std::nullopt;
      condition = std::string("if (") + (is_negated ? "!" : "") + *predicate + ") ";
      text = stripped(text.substr(end));
    }
    const std::size_t end = std::min(text.find_first_of(" \t\n"), text.size());
    const Words name = split(text.substr(0, end), '.');
    const auto done = translate_instruction(all_, name, split(text.substr(end), ','));
    if (!done) return std::nullopt;
    return condition + "{ " + *done + "; } ";
  }

  const std::vector<AsmOperand>& operands_;
  Operands all_;
};

}  // namespace
}  // namespace ptx

std::optional<std::string> translate_ptx(const std::string& code, const std::vector<AsmOperand>& operands) {
  return ptx::Translator(operands).translate(code);
}

}  // namespace rafter::simt::build
