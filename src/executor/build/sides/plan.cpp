#include "executor/build/sides/plan.hpp"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <unordered_set>

#include "rafter/error.hpp"

namespace rafter::simt::build {

namespace {

using NameSet = std::unordered_set<std::string_view>;

std::string demangled(const std::string& symbol) {
  int status = 0;
  char* text = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
  std::string result = text != nullptr ? text : symbol;
  std::free(text);
  return result;
}

const Symbol& find(const Symbols& symbols, std::string_view name) {
  static const Symbol none;
  const auto found = symbols.find(name);
  return found == symbols.end() ? none : found->second;
}

/// Whether each side has its own object: static local variables, shared variables, virtual tables and constants.
bool is_per_side(std::string_view name, const Symbol& symbol) {
  const auto begins = [&](std::string_view text) { return name.starts_with(text); };
  const std::string_view section = symbol.section;
  return begins("_ZZ") || begins("_ZGVZ") || begins("_ZT") || begins("DW.ref.") || section.starts_with(".rodata") ||
         section.starts_with(".data.rel.ro") || section.starts_with(".tbss") || section.starts_with(".tdata");
}

/// Returns what the roots use, directly or not, and the roots. Does not follow definitions that the side does not keep.
NameSet reach(const Symbols& symbols, const SidePlan& plan, const std::vector<std::string_view>& roots) {
  NameSet found(roots.begin(), roots.end());
  std::vector<std::string_view> open = roots;
  while (!open.empty()) {
    const std::string_view name = open.back();
    open.pop_back();
    const Fate fate = plan.fate_of(name);
    if (fate == Fate::bury || fate == Fate::drop) continue;
    for (std::string_view used : find(symbols, name).uses) {
      if (found.insert(used).second) open.push_back(used);
    }
  }
  return found;
}

class Planner {
 public:
  Planner(const Symbols& host, const Symbols& device, const NamesOfSides& names)
      : host_(host), device_(device), names_(names) {}

  Plan make() {
    for (const auto& [name, symbol] : device_) {
      if (!symbol.is_defined) continue;
      const Symbol& other = find(host_, name);
      other.is_defined ? decide_both(name, other, symbol) : decide_device(name, other, symbol);
    }
    for (const auto& [name, symbol] : host_) {
      const Symbol& other = find(device_, name);
      if (symbol.is_defined && !other.is_defined && other.is_used && !symbol.is_exported) share(name, plan_.host);
    }
    resolve();
    return std::move(plan_);
  }

 private:
  /// Whether the device's definition serves both sides.
  bool is_of_device(std::string_view name, const Symbol& symbol) const {
    // run_threads<OwnKernel<...>>, a kernel of the executor's own headers
    constexpr std::string_view own_kernel = "_ZN11rafter_simt11run_threadsINS_9OwnKernelI";
    if (symbol.is_function) return symbol.is_marked || name.starts_with(own_kernel);
    if (symbol.section.starts_with("rafter_")) return true;
    if (is_per_side(name, symbol)) return false;
    return !name.starts_with("_ZG") && names_symbol(std::string(name), names_.device);
  }

  bool is_common(std::string_view name) const { return names_symbol(std::string(name), names_.common); }

  void decide_both(std::string_view name, const Symbol& host, const Symbol& device) {
    if (is_of_device(name, device)) {
      plan_.host.fates[name] = host.is_function ? Fate::bury : Fate::drop;
      plan_.device.fates[name] = Fate::keep;
      if (!device.is_exported && host.is_used) share(name, plan_.device);
    } else if (device.is_function || is_per_side(name, device)) {
      plan_.device.fates[name] = Fate::localise;
      if (device.is_function && device.is_exported && !device.is_weak && is_common(name)) plan_.exported.insert(name);
    } else {
      plan_.device.fates[name] = Fate::drop;
      if (!host.is_exported && device.is_used) share(name, plan_.host);
    }
  }

  void decide_device(std::string_view name, const Symbol& host, const Symbol& device) {
    plan_.device.fates[name] = host.is_used || is_of_device(name, device) ? Fate::keep : Fate::localise;
    if (!device.is_exported && host.is_used) share(name, plan_.device);
  }

  void share(std::string_view name, SidePlan& definer) {
    plan_.shared.insert(name);
    plan_.host.suffixes[name] = plan_.device.suffixes[name] = shared_suffix;
    definer.defines_shared.insert(name);
  }

  /// Decides about the symbols that a side uses and lacks.
  void resolve() {
    std::vector<std::string_view> host_roots{initialisers}, device_roots(plan_.exported.begin(), plan_.exported.end());
    for (const auto& [name, symbol] : host_) {
      const bool is_root = symbol.is_exported || plan_.host.defines_shared.contains(name);
      if (symbol.is_defined && is_root) host_roots.push_back(name);
    }
    for (const auto& [name, symbol] : device_) {
      if (symbol.is_defined && plan_.device.fate_of(name) == Fate::keep) device_roots.push_back(name);
    }
    const NameSet of_host = reach(host_, plan_.host, host_roots),
                  of_device = reach(device_, plan_.device, device_roots);
    find_missing(host_, device_, of_host, plan_.host);
    find_missing(device_, host_, of_device, plan_.device);
    for (const auto& [name, symbol] : host_) {
      if (symbol.is_defined && symbol.is_marked && !find(device_, name).is_defined && is_called(name, of_host))
        refuse(name);
    }
    for (std::string_view name : of_device) {
      if (find(device_, name).is_defined || find(host_, name).is_defined || !is_common(name)) continue;
      plan_.imported.insert(name);
      plan_.device.suffixes[name] = device_suffix;
    }
  }

  /// Whether one of these functions of the host uses the name.
  bool is_called(std::string_view name, const NameSet& functions) const {
    return std::any_of(functions.begin(), functions.end(), [&](std::string_view function) {
      const std::vector<std::string_view>& uses = find(host_, function).uses;
      return function != name && std::find(uses.begin(), uses.end(), name) != uses.end();
    });
  }

  static void find_missing(const Symbols& symbols, const Symbols& others, const NameSet& reached, SidePlan& plan) {
    for (const auto& [name, symbol] : symbols) {
      const bool is_for_user =
          name.starts_with("_Z") && !name.starts_with("_ZN11rafter_simt") && !name.starts_with("_ZT");
      if (symbol.is_used && is_for_user && !symbol.is_defined && !find(others, name).is_defined &&
          !reached.contains(name))
        plan.missing.insert(name);
    }
  }

  [[noreturn]] static void refuse(std::string_view name) {
    throw Error(ErrorCode::unsupported,
                fmt::format("the kernel '{}' is compiled for the host only, where __CUDA_ARCH__ is undefined; the code "
                            "that launches it must not depend on __CUDA_ARCH__",
                            demangled(std::string(name))));
  }

  const Symbols& host_;
  const Symbols& device_;
  const NamesOfSides& names_;
  Plan plan_;
};

}  // namespace

bool names_symbol(const std::string& symbol, const std::set<std::string>& names) {
  const std::string text = demangled(symbol);
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos; ++at) {
      const char before = at > 0 ? text[at - 1] : ' ',
                 after = at + name.size() < text.size() ? text[at + name.size()] : ' ';
      if ((before == ' ' || before == ':') && (after == ' ' || after == '(' || after == '<' || after == '['))
        return true;
    }
    return false;
  });
}

Plan make_plan(const Symbols& host, const Symbols& device, const NamesOfSides& names) {
  return Planner(host, device, names).make();
}

}  // namespace rafter::simt::build
