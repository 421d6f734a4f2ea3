#include "executor/runtime/bare/npy.hpp"

#include <sys/stat.h>

#include <cstddef>
#include <cstring>
#include <fstream>
#include <iterator>

namespace rafter::simt {
namespace {

/// Returns NumPy's descriptor of a type, such as "<f4" for f32; empty if NumPy does not have the type.
std::string npy_descriptor(const std::string& type) {
  if (type == "bool") return "|b1";
  if (type.size() < 2 || type == "bf16" || std::string("fiu").find(type[0]) == std::string::npos) return "";
  const std::string bytes = std::to_string(std::stoi(type.substr(1)) / 8);
  return (bytes == "1" ? "|" : "<") + std::string(1, type[0]) + bytes;
}

std::string npy_type(const std::string& descriptor) {
  if (descriptor == "|b1" || descriptor == "?") return "bool";
  if (descriptor.size() != 3 || descriptor[0] == '>' || std::string("fiu").find(descriptor[1]) == std::string::npos)
    return "";
  return std::string(1, descriptor[1]) + std::to_string((descriptor[2] - '0') * 8);
}

/// Returns the text after `'name': ` in a header, up to `end`.
std::string npy_field(const std::string& header, const std::string& name, char end) {
  const std::size_t at = header.find("'" + name + "'");
  const std::size_t begin = at == std::string::npos ? at : header.find(':', at);
  if (begin == std::string::npos) return "";
  return header.substr(begin + 1, header.find(end, begin) - begin - 1);
}

}  // namespace

std::string write_npy(const std::string& path, const Npy& array) {
  std::string shape;
  for (long long extent : array.shape) shape += std::to_string(extent) + ", ";
  if (array.shape.size() > 1) shape.resize(shape.size() - 2);
  if (array.shape.size() == 1) shape.resize(shape.size() - 1);
  std::string header =
      "{'descr': '" + npy_descriptor(array.type) + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  const char prefix[] = {'\x93',
                         'N',
                         'U',
                         'M',
                         'P',
                         'Y',
                         1,
                         0,
                         static_cast<char>(header.size() & 255),
                         static_cast<char>(header.size() >> 8)};
  std::ofstream file(path, std::ios::binary);
  file.write(prefix, sizeof prefix);
  file.write(header.data(), static_cast<std::streamsize>(header.size()));
  file.write(array.data.data(), static_cast<std::streamsize>(array.data.size()));
  file.close();
  return file ? "" : "cannot write '" + path + "'";
}

std::string read_npy(const std::string& path, Npy& array) {
  struct stat status {};
  const bool may_never_end = stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
  if (may_never_end) return "cannot read '" + path + "': it is not a regular file";
  std::ifstream file(path, std::ios::binary);
  if (!file) return "cannot read '" + path + "'";
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (bytes.size() < 12 || std::memcmp(bytes.data(), "\x93NUMPY", 6) != 0) return "'" + path + "' is not a .npy file";
  const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(bytes[i])); };
  const bool is_long = bytes[6] > 1;
  const std::size_t length =
      is_long ? byte(8) | byte(9) << 8 | byte(10) << 16 | byte(11) << 24 : byte(8) | byte(9) << 8;
  const std::size_t begin = is_long ? 12 : 10;
  if (begin + length > bytes.size()) return "'" + path + "' is truncated";
  const std::string header(bytes.data() + begin, length);
  if (npy_field(header, "fortran_order", ',').find("True") != std::string::npos)
    return "'" + path + "' is in Fortran order; save np.ascontiguousarray(x)";
  std::string descriptor = npy_field(header, "descr", ',');
  std::string plain;
  for (char c : descriptor) {
    if (c != '\'' && c != ' ') plain += c;
  }
  array.type = npy_type(plain);
  if (array.type.empty()) return "'" + path + "' has elements of type '" + plain + "', which no kernel parameter takes";
  array.shape.clear();
  std::size_t n_bytes = array.type == "bool" ? 1 : static_cast<std::size_t>(std::stoi(array.type.substr(1)) / 8);
  std::string shape = npy_field(header, "shape", ')');
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] < '0' || shape[i] > '9') continue;
    std::size_t used = 0;
    array.shape.push_back(std::stoll(shape.substr(i), &used));
    n_bytes *= static_cast<std::size_t>(array.shape.back());
    i += used;
  }
  if (bytes.size() - begin - length != n_bytes) return "'" + path + "' has another size than its header says";
  array.data.assign(bytes.begin() + static_cast<std::ptrdiff_t>(begin + length), bytes.end());
  return "";
}

}  // namespace rafter::simt
