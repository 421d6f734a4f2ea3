#include "call.hpp"

#include <string_view>

namespace rafter::python {

namespace {

PyObject* error_type = nullptr;

/// A parameter of the C function that the Python function calls otherwise; `op` is empty for all functions.
struct Renamed {
  std::string_view op, from, to;
};
constexpr Renamed renamed[] = {{"", "in", "x"},  // a keyword of Python
                               {"argmin", "index", "out"},
                               {"argmax", "index", "out"},
                               {"filter_indices", "indices", "out"}};

/// Returns a message of the C API in the words of the Python functions: without rafter_ and the names of structs, and
/// with Python's names of arguments, at its beginning and where it ends with "overlaps NAME".
std::string in_python(std::string_view op, std::string_view message) {
  const std::size_t colon = message.find(": ");
  std::string rest(colon == std::string_view::npos ? message : message.substr(colon + 2));
  for (const std::string_view part : {"options.", "keep.", "problem->", "problem."})
    if (rest.starts_with(part)) rest.erase(0, part.size());
  for (const auto& [of, from, to] : renamed) {
    if (!of.empty() && of != op) continue;
    if (rest.starts_with(std::string(from) + " ")) rest.replace(0, from.size(), to);
    if (rest.ends_with("overlaps " + std::string(from))) rest.replace(rest.size() - from.size(), from.size(), to);
  }
  return std::string(op) + ": " + rest;
}

/// Whether a message complains about an element type: "out should be float32, is int64".
bool is_about_type(std::string_view message) {
  const std::size_t found = message.rfind(", is ");
  if (found == std::string_view::npos) return false;
  std::string_view word = message.substr(found + 5);
  while (!word.empty() && word.back() >= '0' && word.back() <= '9') word.remove_suffix(1);
  for (const std::string_view type : {"float", "bfloat", "int", "uint", "complex", "bool"})
    if (word == type) return true;
  return message.substr(found + 5).starts_with("type code ");
}

}  // namespace

void add_error_type(nb::module_& module) {
  error_type = PyErr_NewExceptionWithDoc(
      "rafter.Error", "A failure that no argument explains: of the device, or of a request that it does not support.",
      PyExc_RuntimeError, nullptr);
  if (error_type == nullptr) throw nb::python_error();
  module.attr("Error") = nb::borrow(error_type);
}

void throw_last_error(const char* op) {
  const rafter_error* const error = rafter_last_error();
  const std::string message = in_python(op, error->message);
  PyObject* type = error_type;
  if (error->status == RAFTER_BAD_ARGUMENT) type = is_about_type(message) ? PyExc_TypeError : PyExc_ValueError;
  if (error->status == RAFTER_OUT_OF_MEMORY) type = PyExc_MemoryError;
  if (error->status == RAFTER_IO) type = PyExc_OSError;
  PyErr_SetString(type, message.c_str());
  throw nb::python_error();
}

rafter_stream* cpu_stream() {
  static rafter_stream* const stream = [] {
    rafter_stream* made = nullptr;
    require(rafter_stream_cpu(0, &made), "rafter");
    return made;
  }();
  return stream;
}

rafter_scalar scalar(const char* op, const char* argument, nb::handle number, const rafter_dtype& type) {
  if (type.code == RAFTER_TYPE_FLOAT || type.code == RAFTER_TYPE_BFLOAT) {
    const double value = PyFloat_AsDouble(number.ptr());
    if (value == -1 && PyErr_Occurred() != nullptr) {
      PyErr_Clear();
      throw nb::type_error((std::string(op) + ": " + argument + " should be a number").c_str());
    }
    return {value, 0};
  }
  const nb::object index = nb::steal(PyNumber_Index(number.ptr()));
  if (!index.is_valid()) {
    PyErr_Clear();
    throw nb::type_error((std::string(op) + ": " + argument + " should be an integer, as the elements are").c_str());
  }
  const long long value = PyLong_AsLongLong(index.ptr());
  if (value == -1 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    throw nb::value_error((std::string(op) + ": " + argument + " should fit 64 bits").c_str());
  }
  return {0, value};
}

int choice(const char* op, const char* argument, const std::string& word, std::initializer_list<const char*> words) {
  std::string list;
  int i = 0;
  for (const char* const one : words) {
    if (word == one) return i;
    list += (i++ > 0 ? ", " : "") + ("'" + std::string(one) + "'");
  }
  throw nb::value_error(
      (std::string(op) + ": " + argument + " should be one of " + list + ", is '" + word + "'").c_str());
}

Call::~Call() { rafter_stream_destroy(own_stream_); }

rafter_stream* Call::stream() {
  if (arrays_.empty() || !arrays_.front().on_gpu()) return cpu_stream();
  if (own_stream_ == nullptr) {
    const Array& first = arrays_.front();
    require(rafter_stream_cuda(current_stream(first), first.tensor()->device.device_id, &own_stream_), op_);
  }
  return own_stream_;
}

Call::Result Call::result(const char* argument, nb::handle given, const rafter_dtype& type,
                          const std::vector<std::int64_t>& shape) {
  if (!given.is_none()) return {nb::borrow(given), &out(argument, given), false};
  nb::object made = new_array(op_, arrays_.front(), type, shape);
  made_.push_back(made);  // an Array refers to its object
  return {made, &out(argument, made), true};
}

nb::object Call::Result::element() const {
  if (!is_new || array->framework() != Framework::numpy) return object;
  return nb::object(object[nb::tuple()]);
}

}  // namespace rafter::python
