// Kernels without barriers, with loops, conditions and jumps of all kinds, each twice in one program: as a kernel, and
// as a function for the host that has the same text. What the kernel's lanes do together must be what the function
// does for one thread after the other, to the last bit; so nothing in them rounds in more than one way.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "lane_program_head.hpp"

namespace rafter::simt::test {

class LaneProgram {
 public:
  LaneProgram(int n_kernels, std::uint64_t seed) : random_(seed) {
    text_ = lane_program_head;
    std::string main = "int main() {\n";
    for (int i = 0; i < n_kernels; ++i) {
      const std::string number = std::to_string(i);
      std::string body = kernel_body();
      text_ += "__global__ void k" + number + parameters + ") {\n" + body + "}\n";
      text_ += "void h" + number + parameters + ", uint3 threadIdx, uint3 blockIdx, dim3 blockDim) {\n" + body + "}\n";
      main += "  run(\"k" + number + "\", k" + number + ", h" + number + ", dim3(" + shape() + "), " +
              std::to_string(below(5)) + "u);\n";
    }
    text_ += main + "  std::puts(\"all equal\");\n}\n";
  }

  const std::string& text() const { return text_; }

 private:
  enum Type { u, s, f, d, w, b, n_types };  // unsigned, int, float, double, unsigned long long, bool
  struct Name {
    std::string text;
    Type type;
    bool is_constant = false;
  };

  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  template <std::size_t n>
  std::string_view one_of(const std::array<std::string_view, n>& texts) {
    return texts[below(n)];
  }
  std::string shape() {
    return std::string(one_of(std::array<std::string_view, 5>{"40", "64", "5", "16, 3", "33, 2"}));
  }

  /// A name of that type, or nothing.
  std::string name(Type type, bool assigns = false) {
    std::vector<std::string> found;
    for (const Name& name : names_) {
      if (name.type == type && !(assigns && name.is_constant)) found.push_back(name.text);
    }
    return found.empty() ? "" : found[below(static_cast<unsigned>(found.size()))];
  }

  /// `$u`: an expression of that type, one level deeper.
  std::string filled(std::string_view form, int depth) {
    std::string text;
    for (std::size_t i = 0; i < form.size(); ++i) {
      if (form[i] != '$') {
        text += form[i];
        continue;
      }
      constexpr std::string_view letters = "usfdwb";
      text += expression(static_cast<Type>(letters.find(form[++i])), depth - 1);
    }
    return text;
  }

  /// The same for all threads.
  std::string uniform(Type type) {
    const std::string number = std::to_string(below(90));
    switch (type) {
      case u: return below(3) == 0 ? "k" : number + "u";
      case s: return number;
      case f: return number + ".5f";
      case d: return number + ".25";
      case w: return number + "ull";
      default: return "((k & 1u) == " + std::to_string(below(2)) + "u)";
    }
  }

  std::string leaf(Type type) {
    if (const std::string known = name(type); !known.empty() && below(3) != 0) return known;
    if (type == s) return "(int)(t & " + std::to_string(below(90)) + "u)";
    if (type == b && below(2) == 0) return "(t > " + std::to_string(below(90)) + "u)";
    return uniform(type);
  }

  /// What a variable gets.
  std::string value(Type type) { return below(3) == 0 ? uniform(type) : expression(type, 3); }

  std::string expression(Type type, int depth) {
    if (depth <= 0 || below(5) == 0) return leaf(type);
    switch (type) {
      case u:
        return filled(one_of(std::array<std::string_view, 22>{"($u + $u)",
                                                              "($u - $u)",
                                                              "($u * $u)",
                                                              "($u & $u)",
                                                              "($u | $u)",
                                                              "($u ^ $u)",
                                                              "(~$u)",
                                                              "(-$u)",
                                                              "($u / ($u | 1u))",
                                                              "($u % (($u & 15u) + 1u))",
                                                              "($u << ($u & 31u))",
                                                              "($u >> ($u & 31u))",
                                                              "in[$u & 255u]",
                                                              "pairs[$u & 255u].y",
                                                              "records[$u & 255u].part.b",
                                                              "min($u, $u)",
                                                              "max($u, $u)",
                                                              "mix($u, $u)",
                                                              "($b ? $u : $u)",
                                                              "(unsigned)$b",
                                                              "static_cast<unsigned>($w)",
                                                              "(unsigned)$s"}),
                      depth);
      case s:
        return filled(one_of(std::array<std::string_view, 9>{
                          "((int)($u & 1023u) - 512)", "($s / (int)(($u & 7u) + 1u))", "($s % (int)(($u & 7u) + 1u))",
                          "($s >> ($u & 31u))", "($b ? $s : $s)", "($s & $s)", "abs($s)", "(-$s)", "small[$u & 255u]"}),
                      depth);
      case f:
        return filled(one_of(std::array<std::string_view, 9>{"($f + $f)", "($f - $f)", "reals[$u & 255u]", "fabsf($f)",
                                                             "fminf($f, $f)", "($b ? $f : $f)", "(float)($u & 63u)",
                                                             "(-$f)", "float($s)"}),
                      depth);
      case d:
        return filled(one_of(std::array<std::string_view, 4>{"($d + $f)", "($d - $d)", "(double)$u", "($b ? $d : $f)"}),
                      depth);
      case w:
        return filled(one_of(std::array<std::string_view, 5>{"($w + $u)", "($w * $w)", "($w >> 7)",
                                                             "(unsigned long long)$u", "($w << ($u & 63u))"}),
                      depth);
      default:
        return filled(
            one_of(std::array<std::string_view, 13>{"($u < $u)", "($u == $u)", "($s <= $s)", "($f < $f)", "($d > $f)",
                                                    "($w != $u)", "($b && $b)", "($b || $b)", "(!$b)", "($u >= $u)",
                                                    "(in[$u & 255u] > $u && $b)", "((k & 3u) == 1u)", "($b != $b)"}),
            depth);
    }
  }

  static std::string_view name_of(Type type) {
    constexpr std::array<std::string_view, n_types> names{"unsigned",           "int", "float", "double",
                                                          "unsigned long long", "bool"};
    return names[type];
  }

  void line(const std::string& text) { body_ += indent_ + text + "\n"; }

  /// Statements in braces, with names of their own.
  void block(int depth, bool in_loop) {
    const std::size_t n_names = names_.size();
    indent_ += "  ";
    for (unsigned n = 1 + below(3); n > 0; --n) statement(depth - 1, in_loop);
    indent_.resize(indent_.size() - 2);
    names_.resize(n_names);
  }

  void declare() {
    const Type type = static_cast<Type>(below(n_types));
    const bool is_constant = below(3) == 0;
    const std::string name = "v" + std::to_string(n_names_++);
    line(std::string(is_constant ? "const " : "") + std::string(name_of(type)) + " " + name + " = " + value(type) +
         ";");
    names_.push_back({name, type, is_constant});
  }

  void assign() {
    const Type type = static_cast<Type>(below(n_types));
    const std::string target = name(type, true);
    if (target.empty()) return store();
    std::string op = "=";
    if (type == u) op = one_of(std::array<std::string_view, 9>{"=", "+=", "-=", "*=", "^=", "|=", "&=", "<<=", ">>="});
    if (type == f || type == d) op = one_of(std::array<std::string_view, 3>{"=", "+=", "-="});
    if (type == u && below(6) == 0) return line(below(2) == 0 ? "++" + target + ";" : target + "--;");
    if (op == "<<=" || op == ">>=") return line(target + " " + op + " (" + expression(u, 1) + " & 31u);");
    line(target + " " + op + " " + value(type) + ";");
  }

  void store() {
    const std::string at = "[4u * t + " + std::to_string(below(3)) + "u]";
    if (below(3) == 0) return line("sums" + at + " = " + expression(f, 2) + ";");
    line("out" + at + std::string(one_of(std::array<std::string_view, 4>{" = ", " ^= ", " += ", " -= "})) +
         expression(u, 3) + ";");
  }

  void loop(int depth) {
    const std::string name = "j" + std::to_string(n_names_++);
    std::string end = "}";
    switch (below(5)) {
      case 0:
        line("for (unsigned " + name + " = 0; " + name + " < k + " + std::to_string(below(4)) + "u; ++" + name + ") {");
        break;
      case 1: line("for (int " + name + " = threadIdx.x & 3; " + name + " < 9; " + name + " += 2) {"); break;
      case 2: line("for (unsigned " + name + " = 0; " + name + " < (in[t & 255u] & 7u); " + name + "++) {"); break;
      case 3:
        line("unsigned " + name + " = " + expression(u, 2) + " & 7u;");
        line("while (" + name + " != 0u) {");
        line("  --" + name + ";");
        break;
      default:
        line("unsigned " + name + " = " + expression(u, 2) + " & 3u;");
        line("do {");
        line("  ++" + name + ";");
        end = "} while (" + name + " < " + std::to_string(1 + below(6)) + "u);";
    }
    names_.push_back({name, u, true});
    block(depth, true);
    names_.pop_back();
    line(end);
  }

  void statement(int depth, bool in_loop) {
    const unsigned kind = below(depth > 0 ? 10 : 5);
    if (kind == 0) return declare();
    if (kind == 1) return store();
    if (kind < 5) return assign();
    if (kind < 7) return loop(depth);
    line("if (" + expression(b, 3) + ") {");
    block(depth, in_loop);
    const unsigned leaves = below(in_loop ? 5 : 12);
    if (leaves == 0) line(in_loop ? "  break;" : "  return;");
    if (leaves == 1 && in_loop) line("  continue;");
    if (leaves == 2 && in_loop && below(3) == 0) line("  return;");
    if (below(2) == 0) {
      line("} else {");
      block(depth, in_loop);
    }
    line("}");
  }

  std::string kernel_body() {
    names_.clear();
    body_.clear();
    indent_ = "  ";
    line(below(2) == 0 ? "const unsigned t = blockIdx.x * blockDim.x + threadIdx.x + 100u * threadIdx.y;"
                       : "unsigned t = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;");
    if (below(2) == 0) line("if (t >= 90u) return;");
    names_.push_back({"t", u, true});
    declare();
    declare();
    loop(3);  // without one they are no kernels for lanes
    for (unsigned n = 2 + below(4); n > 0; --n) statement(3, false);
    for (const Name& name : names_) {
      if (name.type == f || name.type == d) line("sums[4u * t + 3u] += " + name.text + ";");
      if (name.type != f && name.type != d) line("out[4u * t + 3u] ^= (unsigned)" + name.text + ";");
    }
    return body_;
  }

  static constexpr const char* parameters =
      "(const unsigned* in, const uint2* pairs, const Record* records, const signed char* small, const float* reals, "
      "unsigned* out, float* sums, unsigned k";

  std::mt19937_64 random_;
  std::vector<Name> names_;
  int n_names_ = 0;
  std::string text_, body_, indent_;
};

}  // namespace rafter::simt::test
