#include "library/safetensors/header.hpp"

#include <nlohmann/json.hpp>
#include <set>

#include "rafter/error.hpp"

namespace rafter::safetensors {

namespace {

using nlohmann::json;

/// Receives the JSON from the parser: an object of objects with three fields, and strings of metadata. Anything else is
/// rejected where it begins and not stored, however deep or long it is.
class HeaderReader {
 public:
  explicit HeaderReader(const std::string& file) : file_(file) {}

  Header take() { return std::move(header_); }

  // The interface of nlohmann::json::sax_parse; true continues the parse.
  bool null() { wrong_value(); }
  bool boolean(bool) { wrong_value(); }
  bool number_integer(std::int64_t) { wrong_value(); }  // called for negative numbers
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
                    "has an entry '" + printable(name) + "': expected only dtype, shape and data_offsets");
    }
    std::set<std::string>& seen = place_ == Place::file ? seen_in_file_ : seen_inside_;
    if (!seen.insert(name).second) refuse_file(file_, "has '" + printable(name) + "' twice" + in_what());
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
    Header::Entry& entry = header_.entries.back();
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
    refuse_file(file_,
                "has a header that is not JSON: syntax error at byte " + std::to_string(length_bytes + position - 1));
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
    return place_ == Place::tensor ? " in tensor '" + printable(tensor().name) + "'" : "";
  }

  /// Rejects a value of the wrong kind.
  [[noreturn]] void wrong_value() const {
    if (place_ == Place::metadata || (place_ == Place::file && key_ == metadata_key)) {
      refuse_file(file_, std::string("has an invalid ") + metadata_key + ": expected one object of strings");
    }
    if (place_ == Place::file) {
      refuse_file(file_, "has an invalid value for tensor '" + printable(key_) +
                             "': expected an object of dtype, shape and data_offsets");
    }
    const char* expected = "two integers, 0 or more: begin and end";
    if (key_ == "dtype") expected = "a string";
    if (key_ == "shape") expected = "a list of integers, 0 or more and below 2^63";
    refuse_tensor(file_, tensor(), "has an invalid " + key_ + ": expected " + expected);
  }

  const std::string& file_;
  Header header_;
  Place place_ = Place::outside;
  std::string key_;  // the current key
  std::set<std::string> seen_in_file_, seen_inside_;
  std::vector<std::uint64_t> numbers_;
};

std::string text_of(const Header::Entry& entry) {
  return "{\"dtype\":" + json(entry.tensor.dtype).dump() + ",\"shape\":" + json(entry.tensor.shape).dump() +
         ",\"data_offsets\":[" + std::to_string(entry.begin) + "," + std::to_string(entry.end) + "]}";
}

}  // namespace

Header parse_header(std::string_view text, const std::string& file) {
  if (!text.starts_with('{')) {
    refuse_file(file, "is not a safetensors file: expected a header that begins with '{' at byte " +
                          std::to_string(length_bytes));
  }
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {  // nlohmann-json would stop there
    refuse_file(file, "has a header that is not JSON: a zero at byte " + std::to_string(length_bytes + zero));
  }
  HeaderReader reader(file);
  json::sax_parse(text.begin(), text.end(), &reader);
  return reader.take();
}

std::string header_text(const Header& header) {
  std::string text = "{";
  const auto add = [&](const std::string& key, const std::string& value) {
    text += (text.size() > 1 ? "," : "") + json(key).dump() + ":" + value;
  };
  try {
    if (!header.metadata.empty()) add(metadata_key, json(header.metadata).dump());
    for (const Header::Entry& entry : header.entries) add(entry.tensor.name, text_of(entry));
  } catch (const json::exception&) {
    throw Error(ErrorCode::bad_argument, "safetensors::write_file: a name or the metadata is not UTF-8");
  }
  text += "}";
  text.resize((text.size() + 7) / 8 * 8, ' ');
  return text;
}

}  // namespace rafter::safetensors
