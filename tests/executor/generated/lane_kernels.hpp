// Generates kernels without barriers, with loops, conditions and jumps of all kinds, each twice in one program: as a
// kernel, which runs vectorised, and as a host function with the same text, which is the plain form. Their results must
// be equal to the last bit. Nothing in the kernels overflows a signed integer or converts an unrepresentable value.
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
      text_ += "__host__ __device__ void h" + number + parameters +
               ", uint3 threadIdx, uint3 blockIdx, dim3 blockDim) {\n" + body + "}\n";
      main += "  run(\"k" + number + "\", k" + number + ", h" + number + ", dim3(" + shape() + "), " +
              std::to_string(below(5)) + "u);\n";
    }
    text_ += main + "  std::puts(\"all equal\");\n}\n";
  }

  const std::string& text() const { return text_; }

 private:
  enum Type { u, s, f, d, w, b, l, n_types };  // unsigned, int, float, double, unsigned long long, bool, long long
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

  /// Returns a name of that type, or an empty string.
  std::string name(Type type, bool assigns = false) {
    std::vector<std::string> found;
    for (const Name& name : names_) {
      if (name.type == type && !(assigns && name.is_constant)) found.push_back(name.text);
    }
    return found.empty() ? "" : found[below(static_cast<unsigned>(found.size()))];
  }

  /// Replaces `$u` and the like in a form by expressions of that type, one level deeper.
  std::string filled(std::string_view form, int depth) {
    std::string text;
    for (std::size_t i = 0; i < form.size(); ++i) {
      if (form[i] != '$') {
        text += form[i];
        continue;
      }
      constexpr std::string_view letters = "usfdwbl";
      text += expression(static_cast<Type>(letters.find(form[++i])), depth - 1);
    }
    return text;
  }

  /// Returns an expression that is the same for all threads.
  std::string uniform(Type type) {
    const std::string number = std::to_string(below(90));
    switch (type) {
      case u: return below(3) == 0 ? "k" : number + "u";
      case s: return number;
      case f: return number + ".5f";
      case d: return number + ".25";
      case w: return number + "ull";
      case l: return "(" + number + "ll - 40ll)";
      default: return "((k & 1u) == " + std::to_string(below(2)) + "u)";
    }
  }

  std::string leaf(Type type) {
    if (const std::string known = name(type); !known.empty() && below(3) != 0) return known;
    if (type == s) return "(int)(t & " + std::to_string(below(90)) + "u)";
    if (type == b && below(2) == 0) return "(t > " + std::to_string(below(90)) + "u)";
    return uniform(type);
  }

  /// Returns the value of an assignment.
  std::string value(Type type) { return below(3) == 0 ? uniform(type) : expression(type, 3); }

  std::string expression(Type type, int depth) {
    if (depth <= 0 || below(5) == 0) return leaf(type);
    return filled(form(type), depth);
  }

  std::string_view form(Type type) {
    // clang-format off
    switch (type) {
      case u:
        return one_of(std::to_array<std::string_view>({
            "($u + $u)", "($u - $u)", "($u * $u)", "($u & $u)", "($u | $u)", "($u ^ $u)", "(~$u)", "(-$u)",
            "($u / ($u | 1u))", "($u % (($u & 15u) + 1u))", "($u << ($u & 31u))", "($u >> ($u & 31u))", "($u << $u)",
            "in[$u & 255u]", "pairs[$u & 255u].y", "records[$u & 255u].part.b", "bytes[$u & 255u]",
            "min($u, $u)", "max($u, $u)", "mix($u, $u)", "__ldg(in + (k & 255u))", "__popc($u)",
            "($b ? $u : $u)", "(unsigned)$b", "(($u < $u) + $u)", "static_cast<unsigned>($w)", "(unsigned)$s",
            "(unsigned)$l", "(DIVISOR != 0u ? $u / DIVISOR : $u)", "(DIVISOR == 0u ? $u : $u % DIVISOR)"}));
      case s:
        return one_of(std::to_array<std::string_view>({
            "((int)($u & 1023u) - 512)", "($s / (int)(($u & 7u) + 1u))", "($s % (int)(($u & 7u) + 1u))",
            "($s >> ($u & 31u))", "($s >> $u)", "($b ? $s : $s)", "($s & $s)", "($s ^ $s)", "abs($s)", "(-$s)", "(~$s)",
            "small[$u & 255u]", "shorts[$u & 255u]", "((int)($l & 4095ll) - 2048)", "($b - $b)", "min($s, $s)",
            "(int)fminf(fmaxf($f, -99.0f), 99.0f)", "(DIVISOR > 1u ? $s / (int)DIVISOR : $s % 5)"}));
      case f:
        return one_of(std::to_array<std::string_view>({
            "($f + $f)", "($f - $f)", "($f * $f)", "($f * $f + $f)", "((float)($u & 63u) * (float)($s & 31))", "($f / $f)", "reals[$u & 255u]", "fabsf($f)", "fminf($f, $f)",
            "fmaxf($f, $f)", "sqrtf($f)", "($b ? $f : $f)", "($b ? $f : $s)", "(float)($u & 63u)", "(float)$l",
            "(float)$d", "(-$f)", "float($s)"}));
      case d:
        return one_of(std::to_array<std::string_view>({
            "($d + $f)", "($d - $d)", "($d * $f - $d)", "((double)$u * (double)($s & 1023))", "((double)$f * 0.5)", "(double)$u", "(double)$w", "doubles[$u & 255u]",
            "($b ? $d : $f)"}));
      case w:
        return one_of(std::to_array<std::string_view>({
            "($w + $u)", "($w * $w)", "($w >> 7)", "(unsigned long long)$u", "(unsigned long long)$s", "($w ^ $l)",
            "($w << ($u & 63u))", "($w >> $s)", "($w % (($w & 255ull) + 1ull))"}));
      case l:
        return one_of(std::to_array<std::string_view>({
            "($l ^ $l)", "($l & $s)", "(long long)$s", "(long long)$u", "($l >> ($u & 63u))", "($b ? $l : $s)",
            "($l / (long long)(($u & 7u) + 1u))", "($l % (long long)(($u & 15u) + 1u))", "longs[$u & 255u]"}));
      default:
        return one_of(std::to_array<std::string_view>({
            "($u < $u)", "($u == $u)", "($s <= $s)", "($s < $u)", "($l > $w)", "($f < $f)", "($f >= $f)", "($f == $f)",
            "($f != $f)", "(!($f < $f))", "($d > $f)", "($w != $u)", "($b && $b)", "($b || $b)", "(!$b)", "($u >= $u)",
            "(in[$u & 255u] > $u && $b)", "($b || reals[$u & 255u] <= $f)", "((k & 3u) == 1u)", "($b != $b)",
            "(bool)$f", "(DIVISOR != 0u && $u / DIVISOR > $u)", "(DIVISOR == 0u || $u % DIVISOR == 1u)"}));
    }
    // clang-format on
  }

  static std::string_view name_of(Type type) {
    constexpr std::array<std::string_view, n_types> names{"unsigned",           "int",  "float",    "double",
                                                          "unsigned long long", "bool", "long long"};
    return names[type];
  }

  void line(const std::string& text) { body_ += indent_ + text + "\n"; }

  /// Generates the statements of a block, with names of their own.
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
    if (type == w) op = one_of(std::array<std::string_view, 4>{"=", "+=", "*=", "^="});
    if (type == s || type == l) op = one_of(std::array<std::string_view, 3>{"=", "^=", "&="});
    if ((type == s || type == l) && below(4) == 0)
      return line(target + (below(2) == 0 ? " /= " : " %= ") + "(int)((" + expression(u, 1) + " & 7u) + 1u);");
    if (type == f || type == d) op = one_of(std::array<std::string_view, 3>{"=", "+=", "-="});
    if (type == u && below(6) == 0) return line(below(2) == 0 ? "++" + target + ";" : target + "--;");
    if (op == "<<=" || op == ">>=") return line(target + " " + op + " (" + expression(u, 1) + " & 31u);");
    line(target + " " + op + " " + value(type) + ";");
  }

  void store() {
    const std::string at = "[4u * t + " + std::to_string(below(3)) + "u]";
    if (below(8) == 0) return line("if (DIVISOR != 0u) out" + at + (below(2) == 0 ? " /= DIVISOR;" : " %= DIVISOR;"));
    if (below(8) == 0) return line("if (DIVISOR != 0u) wides[t] /= (long long)DIVISOR;");
    if (below(6) == 0) return line("narrow" + at + (below(2) == 0 ? " += " : " = ") + expression(s, 2) + ";");
    if (below(6) == 0) return line("wides[t] ^= " + expression(l, 2) + ";");
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
    loop(3);  // kernels without a loop are not vectorised
    for (unsigned n = 2 + below(4); n > 0; --n) statement(3, false);
    for (const Name& name : names_) {
      if (name.type == f || name.type == d) line("sums[4u * t + 3u] += " + name.text + ";");
      if (name.type != f && name.type != d) line("out[4u * t + 3u] ^= (unsigned)" + name.text + ";");
    }
    constexpr std::string_view name = "DIVISOR";  // 0 in some lanes, so that divisions by it need a condition
    for (std::size_t at; (at = body_.find(name)) != std::string::npos;)
      body_.replace(at, name.size(), "(in[t & 255u] % 3u)");
    return body_;
  }

  static constexpr const char* parameters =
      "(const unsigned* in, const uint2* pairs, const Record* records, const signed char* small, const float* reals, "
      "const unsigned char* bytes, const short* shorts, const double* doubles, const long long* longs, "
      "unsigned* out, float* sums, short* narrow, long long* wides, unsigned k";

  std::mt19937_64 random_;
  std::vector<Name> names_;
  int n_names_ = 0;
  std::string text_, body_, indent_;
};

}  // namespace rafter::simt::test
