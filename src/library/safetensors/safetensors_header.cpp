#include "library/safetensors/safetensors_header.hpp"

#include <nlohmann/json.hpp>
#include <set>

#include "rafter/error.hpp"

namespace rafter::base {

namespace {

using nlohmann::json;
constexpr const char* metadata_key = safetensors_metadata_key;

/// Takes the JSON as it is parsed: an object of objects with three fields, and strings of metadata. What is something
/// else is refused where it begins, so nothing is kept of it, however deep or long it is.
class HeaderReader {
 public:
  explicit HeaderReader(const std::string& file) : file_(file) {}

  SafetensorsHeader take() { return std::move(header_); }

  // What nlohmann::json::sax_parse calls; to go on they return true.
  bool null() { wrong_value(); }
  bool boolean(bool) { wrong_value(); }
  bool number_integer(std::int64_t) { wrong_value(); }  // a negative one
  bool number_float(double, const std::string&) { wrong_value(); }
  bool binary(json::binary_t&) { wrong_value(); }

  bool number_unsigned(std::uint64_t value) {
    if (place_ != Place::numbers) wrong_value();
    numbers_.push_back(value);
    return true;
  }

  bool string(std::string& value) {
    if (place_ == Place::metadata) {
      header_.metadata[key_] = std::move(value);
    } else if (place_ == Place::tensor && key_ == "dtype") {
      header_.entries.back().tensor.dtype = std::move(value);
    } else {
      wrong_value();
    }
    return true;
  }

  bool key(std::string& name) {
    if (place_ == Place::tensor && name != "dtype" && name != "shape" && name != "data_offsets") {
      refuse_tensor(file_, tensor(),
                    "has an entry '" + shown(name) + "': expected dtype, shape and data_offsets alone");
    }
    std::set<std::string>& seen = place_ == Place::file ? seen_in_file_ : seen_inside_;
    if (!seen.insert(name).second) refuse_safetensors(file_, "has '" + shown(name) + "' twice" + in_what());
    key_ = std::move(name);
    return true;
  }

  bool start_object(std::size_t) {
    if (place_ != Place::outside && place_ != Place::file) wrong_value();
    seen_inside_.clear();
    if (place_ == Place::outside) {
      place_ = Place::file;
    } else if (key_ == metadata_key) {
      place_ = Place::metadata;
    } else {
      place_ = Place::tensor;
      header_.entries.push_back({{key_, {}, {}, {}}});
    }
    return true;
  }

  bool end_object() {
    if (place_ == Place::tensor) {
      for (const char* field : {"dtype", "shape", "data_offsets"}) {
        if (!seen_inside_.contains(field)) refuse_tensor(file_, tensor(), std::string("has no ") + field);
      }
    }
    place_ = Place::file;
    return true;
  }

  bool start_array(std::size_t) {
    if (place_ != Place::tensor || key_ == "dtype") wrong_value();
    place_ = Place::numbers;
    numbers_.clear();
    return true;
  }

  bool end_array() {
    SafetensorsHeader::Entry& entry = header_.entries.back();
    if (key_ == "shape") {
      for (const std::uint64_t extent : numbers_) entry.tensor.shape.push_back(signed_extent(extent));
    } else if (numbers_.size() == 2) {
      entry.begin = numbers_[0];
      entry.end = numbers_[1];
    } else {
      wrong_value();
    }
    place_ = Place::tensor;
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const json::exception&) {
    refuse_safetensors(file_, "has a header that is no JSON: something else was expected at byte " +
                                  std::to_string(safetensors_length_bytes + position - 1));
  }

 private:
  enum class Place { outside, file, metadata, tensor, numbers };

  const Tensor& tensor() const { return header_.entries.back().tensor; }

  std::int64_t signed_extent(std::uint64_t extent) const {
    if (extent > INT64_MAX) wrong_value();
    return static_cast<std::int64_t>(extent);
  }

  std::string in_what() const {
    if (place_ == Place::metadata) return std::string(" in ") + metadata_key;
    return place_ == Place::tensor ? " in tensor '" + shown(tensor().name) + "'" : "";
  }

  /// A value of another kind than what belongs here.
  [[noreturn]] void wrong_value() const {
    if (place_ == Place::metadata || (place_ == Place::file && key_ == metadata_key)) {
      refuse_safetensors(file_,
                         std::string("has a wrong ") + metadata_key + ": expected an object of strings, and no other");
    }
    if (place_ == Place::file) {
      refuse_safetensors(file_, "has a wrong value for tensor '" + shown(key_) +
                                    "': expected an object of dtype, shape and data_offsets");
    }
    const char* expected = "two integers, 0 or more: begin and end";
    if (key_ == "dtype") expected = "a string";
    if (key_ == "shape") expected = "a list of integers, 0 or more and below 2^63";
    refuse_tensor(file_, tensor(), "has a wrong " + key_ + ": expected " + expected);
  }

  const std::string& file_;
  SafetensorsHeader header_;
  Place place_ = Place::outside;
  std::string key_;  // the last one
  std::set<std::string> seen_in_file_, seen_inside_;
  std::vector<std::uint64_t> numbers_;
};

std::string text_of(const SafetensorsHeader::Entry& entry) {
  return "{\"dtype\":" + json(entry.tensor.dtype).dump() + ",\"shape\":" + json(entry.tensor.shape).dump() +
         ",\"data_offsets\":[" + std::to_string(entry.begin) + "," + std::to_string(entry.end) + "]}";
}

}  // namespace

SafetensorsHeader read_safetensors_header(std::string_view text, const std::string& file) {
  if (!text.starts_with('{')) {
    refuse_safetensors(file, "is no safetensors file: expected a header that begins with '{' at byte " +
                                 std::to_string(safetensors_length_bytes));
  }
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {  // nlohmann-json would end there
    refuse_safetensors(
        file, "has a header that is no JSON: a zero at byte " + std::to_string(safetensors_length_bytes + zero));
  }
  HeaderReader reader(file);
  json::sax_parse(text.begin(), text.end(), &reader);
  return reader.take();
}

std::string safetensors_header_text(const SafetensorsHeader& header) {
  std::string text = "{";
  const auto add = [&](const std::string& key, const std::string& value) {
    text += (text.size() > 1 ? "," : "") + json(key).dump() + ":" + value;
  };
  try {
    if (!header.metadata.empty()) add(metadata_key, json(header.metadata).dump());
    for (const SafetensorsHeader::Entry& entry : header.entries) add(entry.tensor.name, text_of(entry));
  } catch (const json::exception&) {
    throw Error(ErrorCode::bad_argument, "write_safetensors: a name, or the metadata, is no UTF-8");
  }
  text += "}";
  text.resize((text.size() + 7) / 8 * 8, ' ');
  return text;
}

}  // namespace rafter::base
