#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/pattern.hpp"
#include "base/ptx.hpp"
#include "executor/build/rewrite/ptx/ptx.hpp"
#include "executor/build/rewrite/rewrite_passes.hpp"

namespace rafter::simt::build {

namespace {

/// Whether assembly code is PTX: it contains a PTX mnemonic followed by a dot, a PTX register or a PTX declaration,
/// which no host assembler has.
bool is_ptx(const std::string& code) {
  static const base::Pattern mnemonic([] {
    std::string names;
    for (const base::PtxMnemonic& one : base::ptx_mnemonics)
      names += (names.empty() ? "" : "|") + std::string(one.name);
    return R"((^|[\s;{!])(@!?%?\w+\s+)?()" + names + R"()\.\w)";
  }());
  static const base::Pattern registers(
      R"(%%?(laneid|warpid|nwarpid|smid|nsmid|gridid|clock|clock64|clock_hi|globaltimer\w*|tid|ntid|ctaid|nctaid|)"
      R"(lanemask_\w+|dynamic_smem_size|total_smem_size|cluster\w*)\b)");
  static const base::Pattern declaration(R"(\.reg\s*\.|(^|[\s;{])(trap|exit|brkpt)\s*;|\.pred\b)");
  return mnemonic.find(code) || registers.find(code) || declaration.find(code);
}

/// The operands of an asm statement and their positions.
struct Operands {
  std::vector<AsmOperand> all{};
  std::vector<int> open{};  // their parentheses
};

std::optional<Operands> asm_operands(const Tokens& tokens, int at, int close) {
  Operands found;
  int section = 0;  // 1 outputs, 2 inputs, 3 clobbers
  while (at < close) {
    if (tokens.is(at, ":") || tokens.is(at, "::")) {
      section += tokens.is(at, "::") ? 2 : 1;
      ++at;
    } else if (section > 2 || tokens.is(at, ",")) {
      ++at;
    } else {
      AsmOperand operand;
      if (tokens.is(at, "[") && tokens.is(at + 2, "]")) {
        operand.name = std::string(tokens.text(at + 1));
        at += 3;
      }
      if (tokens[at].kind != TokenKind::string || !tokens.is(at + 1, "(") || tokens.partner(at + 1) < 0)
        return std::nullopt;
      operand.constraint = std::string(tokens.text(at).substr(1, tokens.text(at).size() - 2));
      if (operand.constraint.empty()) return std::nullopt;
      found.all.push_back(operand);
      found.open.push_back(at + 1);
      at = tokens.partner(at + 1) + 1;
    }
  }
  return found;
}

/// Rewrites `asm("..." : "=r"(x) : "r"(y))` to `[&](auto&& rafter_simt_0, auto&& rafter_simt_1) { ... }((x), (y))`. The
/// operands stay in place.
bool rewrite_asm(const Pass& pass, int i, int open, int code_end, const std::string& code) {
  const Tokens& tokens = pass.tokens;
  const int close = tokens.partner(open);
  const auto operands = asm_operands(tokens, code_end, close);
  const auto body = operands ? translate_ptx(code, operands->all) : std::nullopt;
  if (!body) return false;
  std::string head = "[&](";
  for (std::size_t at = 0; at < operands->all.size(); ++at)
    head += (at > 0 ? ", auto&& rafter_simt_" : "auto&& rafter_simt_") + std::to_string(at);
  head += ") __attribute__((always_inline)) { " + *body + "}(";
  std::size_t begin = tokens[i].begin;
  for (const int operand : operands->open) {
    pass.edits.replace(begin, tokens[operand].begin, head);
    head = ", ";
    begin = tokens[tokens.partner(operand)].end;
  }
  pass.edits.replace(begin, tokens[close].end, (operands->open.empty() ? head : "") + ")");
  pass.result.uses_ptx = true;
  return true;
}

void check_asm(const Pass& pass, int i) {
  const Tokens& tokens = pass.tokens;
  int open = i + 1;
  while (tokens.is(open, "volatile") || tokens.is(open, "__volatile__") || tokens.is(open, "inline") ||
         tokens.is(open, "goto"))
    ++open;
  if (!tokens.is(open, "(")) return;
  std::string code;
  int end = open + 1;
  bool is_text = true;  // consists of string literals only
  for (; end < tokens.partner(open) && !tokens.is(end, ":") && !tokens.is(end, "::"); ++end) {
    if (tokens[end].kind == TokenKind::string) code += std::string(tokens.text(end)) + "\n";
    is_text = is_text && tokens[end].kind == TokenKind::string;
  }
  for (std::size_t at; (at = code.find_first_of("\"")) != std::string::npos;) code.erase(at, 1);
  for (std::string_view escape : {"\\n", "\\t", "\\r"}) {
    for (std::size_t at; (at = code.find(escape)) != std::string::npos;) code.replace(at, 2, "  ");
  }
  if (!is_ptx(code) || (is_text && rewrite_asm(pass, i, open, end, code))) return;
  const std::size_t begin = code.find_first_not_of(" \n{");
  const std::string first =
      begin == std::string::npos ? "" : code.substr(begin, code.find_first_of(" ;\n", begin) - begin);
  pass.refuse(i, fmt::format("inline PTX ({})", first), "the executor implements only the common instructions");
}

/// Whether token `i` begins `texture<float, 2> t;`: a type with arguments, followed by a name.
bool is_reference(const Tokens& tokens, int i) {
  if ((!tokens.is(i, "texture") && !tokens.is(i, "surface")) || !tokens.is(i + 1, "<")) return false;
  const int close = tokens.close_angle(i + 1);
  return close > 0 && tokens.is_identifier(close + 1);
}

/// Runtime functions for texture and surface references.
constexpr auto reference_calls = std::to_array<std::string_view>(
    {"cudaBindTexture", "cudaUnbindTexture", "cudaBindSurfaceToArray", "cudaGetTextureReference",
     "cudaGetSurfaceReference", "cudaGetTextureAlignmentOffset"});

void check_name(const Pass& pass, int i) {
  const Tokens& tokens = pass.tokens;
  const std::string_view text = tokens.text(i);
  const bool is_call = std::any_of(reference_calls.begin(), reference_calls.end(),
                                   [&](std::string_view call) { return text.starts_with(call); });
  if (is_call || is_reference(tokens, i)) {
    const std::string what = text.starts_with("surface") ? "surface references" : "texture references";
    return pass.refuse(
        i, is_call ? fmt::format("{} ({})", what, text) : what,
        "CUDA 12 removed them; create a texture object (cudaCreateTextureObject) and pass it to the kernel");
  }
  if (text.starts_with("cudaGraphics"))
    return pass.refuse(i, std::string(text), "sharing memory with graphics is not implemented");
}

struct Library {
  std::string_view header;
  std::string_view what;
};

constexpr std::array<Library, 19> libraries{{
    {"cublasXt", "cublasXt"},
    {"cufft", "cuFFT"},
    {"cusparse", "cuSPARSE"},
    {"cusolver", "cuSOLVER"},
    {"cudnn", "cuDNN"},
    {"nccl", "NCCL"},
    {"nvrtc", "NVRTC"},
    {"optix", "OptiX"},
    {"cutensor", "cuTENSOR"},
    {"npp", "NPP"},
    {"nvjpeg", "nvJPEG"},
    {"cuda_gl_interop", "OpenGL interoperation"},
    {"cudaGL", "OpenGL interoperation"},
    {"cuda_egl_interop", "EGL interoperation"},
    {"cuda_vdpau_interop", "VDPAU interoperation"},
    {"cutlass/", "CUTLASS"},
    {"cute/", "CuTe"},
    {"nvshmem", "NVSHMEM"},
    {"nvml", "NVML"},
}};

void check_include(const Pass& pass, int hash) {
  const Tokens& tokens = pass.tokens;
  if (!tokens.is(hash + 1, "include") || hash + 2 >= tokens.size() ||
      tokens[hash + 2].directive != tokens[hash].directive)
    return;
  const std::string_view name = tokens.text(hash + 2).substr(1);
  if (tokens[hash + 2].kind != TokenKind::header && tokens[hash + 2].kind != TokenKind::string) return;
  const std::string what(library_of(name)), why(not_implemented);
  if (what.empty()) return;
  pass.result.refusals.push_back({pass.path, tokens[hash].line, what, why});
  pass.edits.replace(tokens[hash].begin, tokens[hash + 2].end, fmt::format("#error {}{}: {}", refusal_mark, what, why));
}

}  // namespace

std::string_view library_of(std::string_view header) {
  for (const Library& library : libraries) {
    if (header.starts_with(library.header)) return library.what;
  }
  return "";
}

void Pass::refuse(int token, const std::string& what, const std::string& why) const {
  result.refusals.push_back({path, tokens[token].line, what, why});
  std::string message = fmt::format("{}{}: {}", refusal_mark, what, why);
  for (char& c : message) c = c == '"' || c == '\\' ? '\'' : c;
  insert_before(token, fmt::format("_Pragma(\"GCC error \\\"{}\\\"\") ", message));
}

void find_refusals(const Pass& pass) {
  const Tokens& tokens = pass.tokens;
  int definition = 0;  // the directive that defines a macro
  for (int i = 0; i < tokens.size(); ++i) {
    if (tokens[i].directive != 0 && tokens.is(i, "#")) {
      check_include(pass, i);
      if (tokens.is(i + 1, "define")) definition = tokens[i].directive;
    }
    // Among preprocessor lines, only the bodies of macros are compiled.
    if (tokens[i].kind != TokenKind::identifier || tokens.is(i - 1, "#") || tokens.is(i - 1, "define")) continue;
    if (tokens.is(i, "asm") || tokens.is(i, "__asm__") || tokens.is(i, "__asm")) {
      check_asm(pass, i);
    } else if (tokens[i].directive == 0 || tokens[i].directive == definition) {
      check_name(pass, i);
    }
  }
}

}  // namespace rafter::simt::build
