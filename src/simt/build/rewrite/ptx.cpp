#include "simt/build/rewrite/ptx.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <sstream>
#include <string_view>

#include "simt/build/rewrite/ptx_names.hpp"

namespace rafter::simt::build {

namespace {

using namespace ptx;

using Words = std::vector<std::string>;

std::string stripped(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1));
}

Words split(std::string_view text, char at) {
  Words parts;
  int depth = 0;
  std::string part;
  for (const char c : text) {
    depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
    if (c == at && depth == 0) {
      parts.push_back(stripped(part));
      part.clear();
    } else {
      part += c;
    }
  }
  if (!stripped(part).empty()) parts.push_back(stripped(part));
  return parts;
}

class Translator {
 public:
  explicit Translator(const std::vector<AsmOperand>& operands) : operands_(operands) {}

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
  /// `.reg .pred p, q`
  std::optional<std::string> declare(const std::string& line) {
    const std::size_t type = line.find('.', 4), names = line.find_first_of(" \t", type);
    if (type == std::string::npos || names == std::string::npos) return std::nullopt;
    std::string text;
    for (const std::string& name : split(line.substr(names), ',')) {
      const bool is_plain = std::all_of(name.begin(), name.end(), [](char c) { return std::isalnum(c) || c == '_'; });
      if (!is_plain) return std::nullopt;
      registers_.insert(name);
      text += "::rafter_simt::ptx::Bits rafter_simt_r_" + name + " = 0; ";
    }
    return text;
  }

  /// The C++ for a register, an operand or a number.
  std::optional<std::string> value(const std::string& text, std::string_view type = "") const {
    if (text.empty()) return std::nullopt;
    if (registers_.contains(text)) return "rafter_simt_r_" + text;
    if (text.starts_with("%[") && text.ends_with("]")) {
      for (std::size_t i = 0; i < operands_.size(); ++i) {
        if (operands_[i].name == text.substr(2, text.size() - 3)) return "rafter_simt_v" + std::to_string(i);
      }
      return std::nullopt;
    }
    if (text[0] == '%' && text.size() > 1 && std::isdigit(text[1])) {
      const bool is_number = std::all_of(text.begin() + 1, text.end(), [](char c) { return std::isdigit(c); });
      if (!is_number || std::stoul(text.substr(1)) >= operands_.size()) return std::nullopt;
      return "rafter_simt_v" + text.substr(1);
    }
    const auto special = special_registers().find(std::string_view(text).substr(text[0] == '%' ? 1 : 0));
    if (special != special_registers().end()) return "::rafter_simt::ptx::Bits(" + std::string(special->second) + ")";
    if (text.size() == 10 && (text.starts_with("0f") || text.starts_with("0F"))) return "0x" + text.substr(2) + "u";
    const std::size_t digits = text[0] == '-' ? 1 : 0;
    const bool is_number = digits < text.size() && std::isdigit(text[digits]) &&
                           std::all_of(text.begin() + static_cast<long>(digits), text.end(),
                                       [](char c) { return std::isxdigit(c) || c == 'x' || c == 'U'; });
    if (!is_number || type == "float" || type == "double") return std::nullopt;
    return "::rafter_simt::ptx::Bits(" + text + (text.ends_with("U") ? "" : "ll") + ")";
  }

  /// `[%1 + 8]` as an address.
  std::optional<std::string> address(const std::string& text) const {
    if (!text.starts_with("[") || !text.ends_with("]")) return std::nullopt;
    const Words parts = split(text.substr(1, text.size() - 2), '+');
    if (parts.empty() || parts.size() > 2) return std::nullopt;
    const auto base = value(parts[0]), offset = parts.size() == 2 ? value(parts[1]) : std::optional<std::string>("0");
    if (!base || !offset) return std::nullopt;
    return *base + " + " + *offset;
  }

  std::optional<std::string> instruction(const std::string& line) const {
    std::string text = line, condition;
    if (text.starts_with("@")) {
      const std::size_t end = text.find_first_of(" \t");
      if (end == std::string::npos) return std::nullopt;
      const bool is_negated = text[1] == '!';
      const auto predicate = value(text.substr(is_negated ? 2 : 1, end - (is_negated ? 2 : 1)));
      if (!predicate) return std::nullopt;
      condition = std::string("if (") + (is_negated ? "!" : "") + *predicate + ") ";
      text = stripped(text.substr(end));
    }
    const std::size_t end = std::min(text.find_first_of(" \t\n"), text.size());
    const Words name = split(text.substr(0, end), '.');
    const auto done = call(name, split(text.substr(end), ','));
    if (!done) return std::nullopt;
    return condition + "{ " + *done + "; } ";
  }

  std::optional<std::string> call(Words name, const Words& operands) const {
    if (name.empty()) return std::nullopt;
    if (const auto effect = without_operands(name, operands)) return effect;
    if (name[0] == "cp") return copy(name, operands);
    if (name[0] == "cvt") return convert(name, operands);
    if (name[0] == "setp") return compare(name, operands);
    if (name[0] == "shfl") return shuffle(name, operands);
    Words types_of;
    std::string plain;
    int n_lanes = 1;
    bool is_volatile = false, is_shared = false;
    std::string order, scope = "__NV_THREAD_SCOPE_DEVICE";
    for (const std::string& word : name) {
      if (word == "cta" || word == "sys")
        scope = word == "cta" ? "__NV_THREAD_SCOPE_BLOCK" : "__NV_THREAD_SCOPE_SYSTEM";
      if (const auto known = orders().find(word); known != orders().end()) {
        order = known->second;
      } else if (types().contains(word)) {
        types_of.emplace_back(types().at(word));
      } else if (word == "v2" || word == "v4") {
        n_lanes = word[1] - '0';
      } else if (word == "shared") {
        is_shared = true;
      } else if (!is_hint(word)) {
        plain += (plain.empty() ? "" : ".") + word;
      }
      is_volatile = is_volatile || word == "volatile";
    }
    const Instruction* const known = find_instruction(plain);
    if (known == nullptr || types_of.empty() || static_cast<int>(operands.size()) != known->n_operands)
      return std::nullopt;
    const std::string type = types_of.back();
    if (plain == "vabsdiff4.add" && types_of != Words(3, "unsigned")) return std::nullopt;
    if (plain == "dp4a" && (types_of.size() != 2 || types_of[0] != type)) return std::nullopt;
    const std::string function = "::rafter_simt::ptx::" + std::string(known->function) + "<" + type + ">(";
    const bool is_access = known->form == Form::load || known->form == Form::store;
    if (!order.empty() && is_access && (n_lanes > 1 || is_shared || is_volatile)) return std::nullopt;
    if (!order.empty() && is_access)
      return ordered_access(known->form == Form::load, type, order + ", " + scope, operands);
    switch (known->form) {
      case Form::load:
      case Form::store: return access(known->form == Form::load, type, n_lanes, {is_volatile, is_shared}, operands);
      case Form::atomic:
      case Form::reduction: {
        const std::string how = (order.empty() ? "__NV_ATOMIC_RELAXED" : order) + ", " + scope;
        return update(*known, type, is_shared, how, operands);
      }
      default: break;
    }
    if (plain == "mov" && (operands[0].starts_with("{") || operands[1].starts_with("{"))) return pack(type, operands);
    const auto to = value(operands[0]);
    if (!to) return std::nullopt;
    std::string arguments;
    for (std::size_t i = 1; i < operands.size(); ++i) {
      const auto argument = value(operands[i], type);
      if (!argument) return std::nullopt;
      arguments += (i > 1 ? ", " : "") + *argument;
    }
    return *to + " = " + function + arguments + ")";
  }

  std::optional<std::string> without_operands(const Words& name, const Words& operands) const {
    const auto has = [&](std::string_view word) { return std::find(name.begin(), name.end(), word) != name.end(); };
    if (name[0] == "membar" || name[0] == "fence") {
      if (has("proxy")) return std::nullopt;
      return has("sys") ? "::__threadfence_system()" : has("cta") ? "::__threadfence_block()" : "::__threadfence()";
    }
    if (name[0] == "prefetch" || name[0] == "prefetchu") return "";
    if (name[0] == "nanosleep" && operands.size() == 1) {
      const auto time = value(operands[0]);
      return time ? std::optional("::__nanosleep((unsigned)" + *time + ")") : std::nullopt;
    }
    if (name[0] == "trap") return "::__trap()";
    if (name[0] == "activemask" && operands.size() == 1) {
      const auto to = value(operands[0]);
      return to ? std::optional(*to + " = ::__activemask()") : std::nullopt;
    }
    if (name[0] == "bar" && has("warp") && operands.size() == 1) {
      const auto mask = value(operands[0]);
      return mask ? std::optional("::__syncwarp((unsigned)" + *mask + ")") : std::nullopt;
    }
    if (name[0] == "bar" && has("sync") && operands.size() == 1 && operands[0] == "0") return "::__syncthreads()";
    return std::nullopt;
  }

  /// `cp.async.cg.shared.global [%0], [%1], 16`, its groups and their waits.
  std::optional<std::string> copy(const Words& name, const Words& operands) const {
    const std::string kind = "::rafter_simt::GroupKind::copy_async";
    if (name.size() < 3 || name[1] != "async") return std::nullopt;
    if (name[2] == "commit_group" && operands.empty()) return "::rafter_simt_commit_group(" + kind + ")";
    if (name[2] == "wait_all" && operands.empty())
      return "::rafter_simt_commit_group(" + kind + "); ::rafter_simt_wait_group(" + kind + ", 0, 0)";
    if (name[2] == "wait_group" && operands.size() == 1) {
      const auto later = value(operands[0]);
      return later ? std::optional("::rafter_simt_wait_group(" + kind + ", (int)" + *later + ", 0)") : std::nullopt;
    }
    if ((name[2] != "ca" && name[2] != "cg") || operands.size() < 3 || operands.size() > 4) return std::nullopt;
    const auto to = address(operands[0]), from = address(operands[1]), bytes = value(operands[2]);
    const auto n_read = operands.size() == 4 ? value(operands[3]) : bytes;
    if (!to || !from || !bytes || !n_read) return std::nullopt;
    return "::rafter_simt_copy_async(::rafter_simt_shared_address(" + *to + "), (const void*)(" + *from + "), (int)" +
           *bytes + ", (int)" + *n_read + ")";
  }

  struct Space {
    bool is_volatile, is_shared;
  };

  std::optional<std::string> access(bool loads, const std::string& type, int n_lanes, Space space,
                                    const Words& operands) const {
    const auto at = address(operands[loads ? 1 : 0]);
    std::string lanes = operands[loads ? 0 : 1];
    if (n_lanes > 1 && lanes.starts_with("{")) lanes = lanes.substr(1, lanes.size() - 2);
    const Words registers = split(lanes, ',');
    if (!at || static_cast<int>(registers.size()) != n_lanes || (space.is_volatile && n_lanes > 1)) return std::nullopt;
    std::string arguments;
    for (const std::string& one : registers) {
      const auto lane = value(one, loads ? "" : type);
      if (!lane) return std::nullopt;
      arguments += ", " + *lane;
    }
    const std::string place = space.is_shared ? "::rafter_simt::ptx::shared(" + *at + ")" : *at;
    return std::string("::rafter_simt::ptx::") + (loads ? "load" : "store") + (space.is_volatile ? "_volatile<" : "<") +
           type + ">(" + place + arguments + ")";
  }

  /// `how` is an order and a scope.
  std::optional<std::string> ordered_access(bool loads, const std::string& type, const std::string& how,
                                            const Words& operands) const {
    const auto at = address(operands[loads ? 1 : 0]), lane = value(operands[loads ? 0 : 1]);
    if (!at || !lane) return std::nullopt;
    const std::string pointer = "((" + type + "*)(" + *at + "), ";
    if (loads) return *lane + " = ::rafter_simt::ptx::bits(::__nv_atomic_load_n" + pointer + how + "))";
    return "::__nv_atomic_store_n" + pointer + "::rafter_simt::ptx::from<" + type + ">(" + *lane + "), " + how + ")";
  }

  std::optional<std::string> update(const Instruction& known, const std::string& type, bool is_shared,
                                    const std::string& how, const Words& operands) const {
    const std::size_t first = known.form == Form::atomic ? 1 : 0;
    const auto at = address(operands[first]);
    const auto to = first == 1 ? value(operands[0]) : std::optional<std::string>("");
    std::string call = "::rafter_simt::ptx::atomic_" + std::string(known.function) + "<" + type + ">(";
    if (!at || !to) return std::nullopt;
    call += is_shared ? "::rafter_simt::ptx::shared(" + *at + ")" : *at;
    for (std::size_t i = first + 1; i < operands.size(); ++i) {
      const auto by = value(operands[i]);
      if (!by) return std::nullopt;
      call += ", " + *by;
    }
    return (first == 1 ? *to + " = " : std::string()) + call + ", " + how + ")";
  }

  /// `mov.b64 %0, {%1, %2}` and the other way round.
  std::optional<std::string> pack(const std::string& type, const Words& operands) const {
    const bool packs = operands[1].starts_with("{");
    const std::string& braces = operands[packs ? 1 : 0];
    const Words halves = split(braces.substr(1, braces.size() - 2), ',');
    const auto whole = value(operands[packs ? 0 : 1]);
    if (!whole || halves.size() != 2) return std::nullopt;
    const auto low = value(halves[0]), high = value(halves[1]);
    const std::string bits = type == "unsigned long long" ? "32" : "16";
    if (!low || !high) return std::nullopt;
    if (packs) return *whole + " = ::rafter_simt::ptx::packed<" + bits + ">(" + *low + ", " + *high + ")";
    return "::rafter_simt::ptx::unpack<" + bits + ">(" + *whole + ", " + *low + ", " + *high + ")";
  }

  /// `cvt.rzi.s32.f32`: the two types last, the rounding before them.
  std::optional<std::string> convert(const Words& name, const Words& operands) const {
    if (name.size() < 3 || operands.size() != 2) return std::nullopt;
    const auto to_type = types().find(name[name.size() - 2]), from_type = types().find(name.back());
    if (to_type == types().end() || from_type == types().end()) return std::nullopt;
    std::string rounding = "as_is";
    for (std::size_t i = 1; i + 2 < name.size(); ++i) {
      if (name[i] == "rni" || name[i] == "rzi" || name[i] == "rmi" || name[i] == "rpi") {
        rounding = name[i];
      } else if (name[i] != "rn" && name[i] != "ftz") {
        return std::nullopt;
      }
    }
    const auto to = value(operands[0]), from = value(operands[1]);
    if (!to || !from) return std::nullopt;
    return *to + " = ::rafter_simt::ptx::convert<" + std::string(to_type->second) + ", " +
           std::string(from_type->second) + ">(" + *from + ", ::rafter_simt::ptx::Rounding::" + rounding + ")";
  }

  /// `setp.lt.u32 p, a, b`
  std::optional<std::string> compare(const Words& name, const Words& operands) const {
    static const std::map<std::string_view, std::string_view> operators{{"eq", "=="}, {"ne", "!="}, {"lt", "<"},
                                                                        {"le", "<="}, {"gt", ">"},  {"ge", ">="}};
    if (name.size() != 3 || operands.size() != 3) return std::nullopt;
    const auto op = operators.find(name[1]);
    const auto type = types().find(name[2]);
    if (op == operators.end() || type == types().end()) return std::nullopt;
    const auto to = value(operands[0]), a = value(operands[1], type->second), b = value(operands[2], type->second);
    if (!to || !a || !b) return std::nullopt;
    const std::string from = "::rafter_simt::ptx::from<" + std::string(type->second) + ">(";
    return *to + " = " + from + *a + ") " + std::string(op->second) + " " + from + *b + ")";
  }

  /// `shfl.sync.bfly.b32 d, a, lane, 0x1f, mask`; the last but one must stand for whole warps.
  std::optional<std::string> shuffle(const Words& name, const Words& operands) const {
    static const std::map<std::string_view, std::pair<std::string_view, std::string_view>> kinds{
        {"idx", {"__shfl_sync", "31"}},
        {"up", {"__shfl_up_sync", "0"}},
        {"down", {"__shfl_down_sync", "31"}},
        {"bfly", {"__shfl_xor_sync", "31"}}};
    if (name.size() != 4 || name[1] != "sync" || name[3] != "b32" || operands.size() != 5) return std::nullopt;
    const auto kind = kinds.find(name[2]);
    if (kind == kinds.end()) return std::nullopt;
    const std::string clamp = operands[3] == "0x1f" || operands[3] == "0x1F" ? "31"
                              : operands[3] == "0x0"                         ? "0"
                                                                             : operands[3];
    const auto to = value(operands[0]), from = value(operands[1]), lane = value(operands[2]), mask = value(operands[4]);
    if (clamp != kind->second.second || !to || !from || !lane || !mask) return std::nullopt;
    return *to + " = ::" + std::string(kind->second.first) + "((unsigned)" + *mask + ", (unsigned)" + *from +
           ", (int)" + *lane + ")";
  }

  const std::vector<AsmOperand>& operands_;
  std::set<std::string> registers_;
};

}  // namespace

std::optional<std::string> translate_ptx(const std::string& code, const std::vector<AsmOperand>& operands) {
  return Translator(operands).translate(code);
}

}  // namespace rafter::simt::build
