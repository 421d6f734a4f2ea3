#include "executor/build/rewrite/ptx/instructions.hpp"

#include <algorithm>
#include <map>

#include "executor/build/rewrite/ptx/names.hpp"

namespace rafter::simt::build::ptx {

namespace {

class InstructionTranslator {
 public:
  explicit InstructionTranslator(const Operands& all) : all_(all) {}

  std::optional<std::string> translate(const Words& name, const Words& operands) const {
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
    const auto to = all_.value(operands[0]);
    if (!to) return std::nullopt;
    std::string arguments;
    for (std::size_t i = 1; i < operands.size(); ++i) {
      const auto argument = all_.value(operands[i], type);
      if (!argument) return std::nullopt;
      arguments += (i > 1 ? ", " : "") + *argument;
    }
    return *to + " = " + function + arguments + ")";
  }

 private:
  std::optional<std::string> without_operands(const Words& name, const Words& operands) const {
    const auto has = [&](std::string_view word) { return std::find(name.begin(), name.end(), word) != name.end(); };
    if (name[0] == "membar" || name[0] == "fence") {
      if (has("proxy")) return std::nullopt;
      return has("sys") ? "::__threadfence_system()" : has("cta") ? "::__threadfence_block()" : "::__threadfence()";
    }
    if (name[0] == "prefetch" || name[0] == "prefetchu") return "";
    if (name[0] == "nanosleep" && operands.size() == 1) {
      const auto time = all_.value(operands[0]);
      return time ? std::optional("::__nanosleep((unsigned)" + *time + ")") : std::nullopt;
    }
    if (name[0] == "trap") return "::__trap()";
    if (name[0] == "activemask" && operands.size() == 1) {
      const auto to = all_.value(operands[0]);
      return to ? std::optional(*to + " = ::__activemask()") : std::nullopt;
    }
    if (name[0] == "bar" && has("warp") && operands.size() == 1) {
      const auto mask = all_.value(operands[0]);
      return mask ? std::optional("::__syncwarp((unsigned)" + *mask + ")") : std::nullopt;
    }
    if (name[0] == "bar" || name[0] == "barrier") return barrier(name, operands);
    return std::nullopt;
  }

  /// Translates `bar.sync 0`, `bar.sync id, threads` and `bar.arrive id, threads`. Threads may wait at one named
  /// barrier in several places.
  std::optional<std::string> barrier(const Words& name, const Words& operands) const {
    const auto is_known = [](const std::string& word) {
      return word == "bar" || word == "barrier" || word == "cta" || word == "sync" || word == "arrive" ||
             word == "aligned";
    };
    if (!std::all_of(name.begin(), name.end(), is_known) || operands.empty() || operands.size() > 2)
      return std::nullopt;
    const bool arrives = std::find(name.begin(), name.end(), "arrive") != name.end();
    if (!arrives && operands.size() == 1 && operands[0] == "0") return "::__syncthreads()";
    const auto id = all_.value(operands[0]), n_threads = operands.size() == 2 ? all_.value(operands[1]) : "0";
    if (!id || !n_threads || (arrives && operands.size() == 1)) return std::nullopt;
    const std::string arguments = "(int)" + *id + ", (int)" + *n_threads;
    return arrives ? "::rafter_simt_barrier_arrive(" + arguments + ")"
                   : "::rafter_simt_barrier(" + arguments + ", ::rafter_simt::BarrierKind::plain, 0, 0)";
  }

  /// Translates `cp.async.cg.shared.global [%0], [%1], 16`, commit_group and the waits.
  std::optional<std::string> copy(const Words& name, const Words& operands) const {
    const std::string kind = "::rafter_simt::GroupKind::copy_async";
    if (name.size() < 3 || name[1] != "async") return std::nullopt;
    if (name[2] == "commit_group" && operands.empty()) return "::rafter_simt_commit_group(" + kind + ")";
    if (name[2] == "wait_all" && operands.empty())
      return "::rafter_simt_commit_group(" + kind + "); ::rafter_simt_wait_group(" + kind + ", 0, 0)";
    if (name[2] == "wait_group" && operands.size() == 1) {
      const auto later = all_.value(operands[0]);
      return later ? std::optional("::rafter_simt_wait_group(" + kind + ", (int)" + *later + ", 0)") : std::nullopt;
    }
    if ((name[2] != "ca" && name[2] != "cg") || operands.size() < 3 || operands.size() > 4) return std::nullopt;
    const auto to = all_.address(operands[0]), from = all_.address(operands[1]), bytes = all_.value(operands[2]);
    const auto n_read = operands.size() == 4 ? all_.value(operands[3]) : bytes;
    if (!to || !from || !bytes || !n_read) return std::nullopt;
    return "::rafter_simt_copy_async(::rafter_simt_shared_address(" + *to + "), (const void*)(" + *from + "), (int)" +
           *bytes + ", (int)" + *n_read + ")";
  }

  struct Space {
    bool is_volatile, is_shared;
  };

  std::optional<std::string> access(bool loads, const std::string& type, int n_lanes, Space space,
                                    const Words& operands) const {
    const auto at = all_.address(operands[loads ? 1 : 0]);
    std::string lanes = operands[loads ? 0 : 1];
    if (n_lanes > 1 && lanes.starts_with("{")) lanes = lanes.substr(1, lanes.size() - 2);
    const Words registers = split(lanes, ',');
    if (!at || static_cast<int>(registers.size()) != n_lanes || (space.is_volatile && n_lanes > 1)) return std::nullopt;
    std::string arguments;
    for (const std::string& one : registers) {
      const auto lane = all_.value(one, loads ? "" : type);
      if (!lane) return std::nullopt;
      arguments += ", " + *lane;
    }
    const std::string place = space.is_shared ? "::rafter_simt::ptx::shared(" + *at + ")" : *at;
    return std::string("::rafter_simt::ptx::") + (loads ? "load" : "store") + (space.is_volatile ? "_volatile<" : "<") +
           type + ">(" + place + arguments + ")";
  }

  /// Translates a load or store with memory ordering; `how` is an order and a scope.
  std::optional<std::string> ordered_access(bool loads, const std::string& type, const std::string& how,
                                            const Words& operands) const {
    const auto at = all_.address(operands[loads ? 1 : 0]), lane = all_.value(operands[loads ? 0 : 1]);
    if (!at || !lane) return std::nullopt;
    const std::string pointer = "((" + type + "*)(" + *at + "), ";
    if (loads) return *lane + " = ::rafter_simt::ptx::bits(::__nv_atomic_load_n" + pointer + how + "))";
    return "::__nv_atomic_store_n" + pointer + "::rafter_simt::ptx::from<" + type + ">(" + *lane + "), " + how + ")";
  }

  std::optional<std::string> update(const Instruction& known, const std::string& type, bool is_shared,
                                    const std::string& how, const Words& operands) const {
    const std::size_t first = known.form == Form::atomic ? 1 : 0;
    const auto at = all_.address(operands[first]);
    const auto to = first == 1 ? all_.value(operands[0]) : std::optional<std::string>("");
    std::string call = "::rafter_simt::ptx::atomic_" + std::string(known.function) + "<" + type + ">(";
    if (!at || !to) return std::nullopt;
    call += is_shared ? "::rafter_simt::ptx::shared(" + *at + ")" : *at;
    for (std::size_t i = first + 1; i < operands.size(); ++i) {
      const auto by = all_.value(operands[i]);
      if (!by) return std::nullopt;
      call += ", " + *by;
    }
    return (first == 1 ? *to + " = " : std::string()) + call + ", " + how + ")";
  }

  /// Translates `mov.b64 %0, {%1, %2}` and the inverse.
  std::optional<std::string> pack(const std::string& type, const Words& operands) const {
    const bool packs = operands[1].starts_with("{");
    const std::string& braces = operands[packs ? 1 : 0];
    const Words halves = split(braces.substr(1, braces.size() - 2), ',');
    const auto whole = all_.value(operands[packs ? 0 : 1]);
    if (!whole || halves.size() != 2) return std::nullopt;
    const auto low = all_.value(halves[0]), high = all_.value(halves[1]);
    const std::string bits = type == "unsigned long long" ? "32" : "16";
    if (!low || !high) return std::nullopt;
    if (packs) return *whole + " = ::rafter_simt::ptx::packed<" + bits + ">(" + *low + ", " + *high + ")";
    return "::rafter_simt::ptx::unpack<" + bits + ">(" + *whole + ", " + *low + ", " + *high + ")";
  }

  /// Translates `cvt.rzi.s32.f32`: the two types are last, preceded by the rounding.
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
    const auto to = all_.value(operands[0]), from = all_.value(operands[1]);
    if (!to || !from) return std::nullopt;
    return *to + " = ::rafter_simt::ptx::convert<" + std::string(to_type->second) + ", " +
           std::string(from_type->second) + ">(" + *from + ", ::rafter_simt::ptx::Rounding::" + rounding + ")";
  }

  /// Translates `setp.lt.u32 p, a, b`.
  std::optional<std::string> compare(const Words& name, const Words& operands) const {
    static const std::map<std::string_view, std::string_view> operators{{"eq", "=="}, {"ne", "!="}, {"lt", "<"},
                                                                        {"le", "<="}, {"gt", ">"},  {"ge", ">="}};
    if (name.size() != 3 || operands.size() != 3) return std::nullopt;
    const auto op = operators.find(name[1]);
    const auto type = types().find(name[2]);
    if (op == operators.end() || type == types().end()) return std::nullopt;
    const auto to = all_.value(operands[0]), a = all_.value(operands[1], type->second),
               b = all_.value(operands[2], type->second);
    if (!to || !a || !b) return std::nullopt;
    const std::string from = "::rafter_simt::ptx::from<" + std::string(type->second) + ">(";
    return *to + " = " + from + *a + ") " + std::string(op->second) + " " + from + *b + ")";
  }

  /// Translates `shfl.sync.bfly.b32 d, a, lane, 0x1f, mask`; the clamp operand must select whole warps.
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
    const auto to = all_.value(operands[0]), from = all_.value(operands[1]), lane = all_.value(operands[2]),
               mask = all_.value(operands[4]);
    if (clamp != kind->second.second || !to || !from || !lane || !mask) return std::nullopt;
    return *to + " = ::" + std::string(kind->second.first) + "((unsigned)" + *mask + ", (unsigned)" + *from +
           ", (int)" + *lane + ")";
  }

  const Operands& all_;
};

}  // namespace

std::optional<std::string> translate_instruction(const Operands& all, const Words& name, const Words& operands) {
  return InstructionTranslator(all).translate(name, operands);
}

}  // namespace rafter::simt::build::ptx
