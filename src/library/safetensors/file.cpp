#include "library/safetensors/file.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <set>
#include <string_view>

#include "base/messages.hpp"
#include "base/new_file.hpp"
#include "library/safetensors/header.hpp"
#include "rafter/error.hpp"

namespace rafter::safetensors {

namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::uint64_t longest_header = 100'000'000;

struct ElementType {
  const char* name;
  int bits;
};
/// All element types, in the order of the reference implementation. Files store tensors of the last types first, so
/// that each is aligned.
constexpr std::array<ElementType, 22> element_types{{
    {"BOOL", 8},    {"F4", 4},      {"F6_E2M3", 6}, {"F6_E3M2", 6},     {"U8", 8},          {"I8", 8},
    {"F8_E5M2", 8}, {"F8_E4M3", 8}, {"F8_E8M0", 8}, {"F8_E4M3FNUZ", 8}, {"F8_E5M2FNUZ", 8}, {"I16", 16},
    {"U16", 16},    {"F16", 16},    {"BF16", 16},   {"I32", 32},        {"U32", 32},        {"F32", 32},
    {"C64", 64},    {"F64", 64},    {"I64", 64},    {"U64", 64},
}};

/// Returns the index of a type in element_types, or their number if it is unknown.
std::size_t rank_of(const std::string& dtype) {
  std::size_t rank = 0;
  while (rank < element_types.size() && dtype != element_types[rank].name) ++rank;
  return rank;
}

/// Returns why a tensor of `n_bytes` bytes is invalid: an unknown type, or a shape that needs another number of bytes.
std::optional<std::string> complaint_about(const Tensor& tensor, std::uint64_t n_bytes) {
  const std::size_t rank = rank_of(tensor.dtype);
  if (rank == element_types.size()) {
    std::vector<std::string> known(element_types.size());
    std::transform(element_types.begin(), element_types.end(), known.begin(),
                   [](const auto& type) { return type.name; });
    return "has the " + base::unknown_name("dtype", printable(tensor.dtype), known);
  }
  const std::string what = printable(base::show_shape(tensor.shape)) + " of " + tensor.dtype;
  auto bits = static_cast<std::uint64_t>(element_types[rank].bits);
  for (const std::int64_t extent : tensor.shape) {
    if (extent < 0 || __builtin_mul_overflow(bits, static_cast<std::uint64_t>(extent), &bits))
      return "has an impossible shape: " + what;
  }
  if (bits % 8 != 0) return "does not end at a byte boundary: " + what;
  if (bits / 8 == n_bytes) return std::nullopt;
  return "has " + std::to_string(n_bytes) + " bytes; expected " + std::to_string(bits / 8) + ", for " + what;
}

/// The text of the header and the data after it.
struct Parts {
  std::string_view header;
  std::span<const std::byte> data;
};

/// Refuses a file of torch.save(), which is a zip archive or begins with a pickle.
void refuse_pytorch(std::span<const std::byte> file, const std::string& name) {
  const std::string_view start(reinterpret_cast<const char*>(file.data()), std::min<std::size_t>(file.size(), 4));
  if (start != "PK\x03\x04" && !start.starts_with("\x80\x02")) return;
  const std::string new_name = std::filesystem::path(name).stem().string() + ".safetensors";
  refuse_file(name,
              "is a PyTorch file; expected safetensors. Convert it: python3 -c \"import torch, "
              "safetensors.torch as s; m = torch.load('" +
                  name +
                  "', map_location='cpu'); s.save_file({k: v.clone() for k, v in m.get('state_dict', "
                  "m).items()}, '" +
                  new_name + "')\"");
}

Parts parts_of(std::span<const std::byte> file, const std::string& name) {
  constexpr std::size_t start = length_bytes;
  refuse_pytorch(file, name);
  if (file.size() < start) {
    refuse_file(name, "is not a safetensors file: it has " + std::to_string(file.size()) +
                          " bytes; expected 8 with the length of a header");
  }
  std::uint64_t length = 0;
  std::memcpy(&length, file.data(), start);
  if (length > longest_header) {
    refuse_file(name, "is not a safetensors file: its header would have " + std::to_string(length) +
                          " bytes; expected at most " + std::to_string(longest_header));
  }
  if (length > file.size() - start) {
    refuse_file(name, "is truncated: its header has " + std::to_string(length) + " bytes; the file has " +
                          std::to_string(file.size() - start));
  }
  return {{reinterpret_cast<const char*>(file.data()) + start, length}, file.subspan(start + length)};
}

void check_to_write(const std::vector<Tensor>& tensors) {
  std::set<std::string> seen;
  for (const Tensor& tensor : tensors) {
    const auto refuse = [&](const std::string& complaint) {
      throw Error(ErrorCode::bad_argument,
                  "safetensors::write_file: tensor '" + printable(tensor.name) + "' " + complaint);
    };
    if (const auto complaint = complaint_about(tensor, tensor.bytes.size())) refuse(*complaint);
    if (tensor.name == metadata_key) refuse("has a reserved name");
    if (!seen.insert(tensor.name).second) refuse("appears twice");
  }
}

}  // namespace

File::File(const std::filesystem::path& path) : mapped_(path), name_(path.string()) { parse(mapped_->bytes()); }

File::File(std::span<const std::byte> file, std::string name) : name_(std::move(name)) { parse(file); }

void File::parse(std::span<const std::byte> file) {
  const auto [text, data] = parts_of(file, name_);
  Header header = parse_header(text, name_);
  metadata_ = std::move(header.metadata);
  std::sort(header.entries.begin(), header.entries.end(),
            [](const auto& a, const auto& b) { return std::pair(a.begin, a.end) < std::pair(b.begin, b.end); });
  std::uint64_t at = 0;
  for (auto& [tensor, begin, end] : header.entries) {
    if (end < begin) {
      refuse(tensor,
             "ends before it begins: its data_offsets are " + std::to_string(begin) + " and " + std::to_string(end));
    }
    if (const auto complaint = complaint_about(tensor, end - begin)) refuse(tensor, *complaint);
    if (begin != at) refuse_gap(tensor, begin, at);
    if (end > data.size()) {
      refuse(tensor, "is truncated: it ends at byte " + std::to_string(end) + " of the data, which has " +
                         std::to_string(data.size()));
    }
    tensor.bytes = data.subspan(begin, end - begin);
    at = end;
    tensors_.push_back(std::move(tensor));
  }
  if (at != data.size()) refuse("has " + std::to_string(data.size() - at) + " bytes after its last tensor");
}

void File::drop_wrapper_prefixes() {
  constexpr std::string_view prefixes[]{"module.", "_orig_mod.", "model."};
  for (std::size_t i = 0; i < std::size(prefixes) && !tensors_.empty();) {
    const bool is_on_all = std::all_of(tensors_.begin(), tensors_.end(),
                                       [&](const Tensor& tensor) { return tensor.name.starts_with(prefixes[i]); });
    for (Tensor& tensor : tensors_) tensor.name.erase(0, is_on_all ? prefixes[i].size() : 0);
    i = is_on_all ? 0 : i + 1;
  }
}

void File::refuse_gap(const Tensor& tensor, std::uint64_t begin, std::uint64_t expected) const {
  const std::string before = tensors_.empty() ? "the data begins" : "'" + printable(tensors_.back().name) + "' ends";
  refuse(tensor, std::string(begin < expected ? "overlaps another" : "leaves a gap") + ": it begins at byte " +
                     std::to_string(begin) + " of the data; expected " + std::to_string(expected) + ", where " +
                     before);
}

void File::refuse(const std::string& complaint) const { refuse_file(name_, complaint); }

void File::refuse(const Tensor& tensor, const std::string& complaint) const { refuse_tensor(name_, tensor, complaint); }

void write_file(const std::filesystem::path& path, std::vector<Tensor> tensors,
                const std::map<std::string, std::string>& metadata) {
  check_to_write(tensors);
  std::sort(tensors.begin(), tensors.end(), [](const Tensor& a, const Tensor& b) {
    const std::size_t rank_a = rank_of(a.dtype), rank_b = rank_of(b.dtype);
    return rank_a != rank_b ? rank_a > rank_b : a.name < b.name;
  });
  Header header{{}, metadata};
  std::uint64_t at = 0;
  for (const Tensor& tensor : tensors) {
    const std::uint64_t begin = std::exchange(at, at + tensor.bytes.size());
    header.entries.push_back({tensor, begin, at});
  }
  const std::string text = header_text(header);
  if (text.size() > longest_header) {
    throw Error(ErrorCode::bad_argument, "safetensors::write_file: the header would have " +
                                             std::to_string(text.size()) + " bytes; the format allows " +
                                             std::to_string(longest_header));
  }
  const auto length = std::bit_cast<std::array<char, length_bytes>>(std::uint64_t{text.size()});
  std::vector<std::string_view> parts{{length.data(), length.size()}, text};
  for (const Tensor& tensor : tensors)
    parts.emplace_back(reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size());
  base::NewFile file(path);
  file.write(parts);
  file.commit();
}

void refuse_file(const std::string& file, const std::string& complaint) {
  throw Error(ErrorCode::bad_argument, "'" + file + "' " + complaint);
}

void refuse_tensor(const std::string& file, const Tensor& tensor, const std::string& complaint) {
  throw Error(ErrorCode::bad_argument, "'" + file + "': tensor '" + printable(tensor.name) + "' " + complaint, {},
              printable(tensor.name));
}

std::string printable(const std::string& text) {
  constexpr std::size_t longest = 80;
  std::string part = text.size() <= longest ? text : text.substr(0, longest) + "...";
  std::replace_if(
      part.begin(), part.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
  return part;
}

}  // namespace rafter::safetensors
