#include "array.hpp"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

namespace rafter::python {

namespace {

// ---- element types ----

constexpr std::uint8_t type_complex = 5, type_bool = 6;  // DLPack's codes, for which the C API has no names

struct NamedType {
  const char* name;
  rafter_dtype type;
};
constexpr NamedType named_types[] = {
    {"float32", {RAFTER_TYPE_FLOAT, 32, 1}},
    {"float64", {RAFTER_TYPE_FLOAT, 64, 1}},
    {"float16", {RAFTER_TYPE_FLOAT, 16, 1}},
    {"bfloat16", {RAFTER_TYPE_BFLOAT, 16, 1}},
    {"int32", {RAFTER_TYPE_INT, 32, 1}},
    {"int64", {RAFTER_TYPE_INT, 64, 1}},
    {"int8", {RAFTER_TYPE_INT, 8, 1}},
    {"int16", {RAFTER_TYPE_INT, 16, 1}},
    {"uint8", {RAFTER_TYPE_UINT, 8, 1}},
    {"uint16", {RAFTER_TYPE_UINT, 16, 1}},
    {"uint32", {RAFTER_TYPE_UINT, 32, 1}},
    {"uint64", {RAFTER_TYPE_UINT, 64, 1}},
    {"complex64", {type_complex, 64, 1}},
    {"complex128", {type_complex, 128, 1}},
    {"bool", {type_bool, 8, 1}},
};

/// Returns the type of a struct format such as "f" or "<q"; lanes are 0 for one that the C API has no type for.
rafter_dtype type_of_format(std::string_view format, Py_ssize_t item_bytes) {
  if (!format.empty() && std::string_view("@=<|").find(format[0]) != std::string_view::npos) format.remove_prefix(1);
  const auto bits = static_cast<std::uint8_t>(item_bytes <= 16 ? 8 * item_bytes : 0);
  if (format == "Zf" || format == "Zd") return {type_complex, bits, 1};
  if (format.size() != 1) return {};
  if (std::string_view("efd").find(format[0]) != std::string_view::npos) return {RAFTER_TYPE_FLOAT, bits, 1};
  if (std::string_view("bhilqn").find(format[0]) != std::string_view::npos) return {RAFTER_TYPE_INT, bits, 1};
  if (std::string_view("BHILQN").find(format[0]) != std::string_view::npos) return {RAFTER_TYPE_UINT, bits, 1};
  if (format[0] == '?') return {type_bool, bits, 1};
  return {};
}

// ---- DLPack ----

struct ManagedTensor {
  rafter_tensor tensor;
  void* context;
  void (*deleter)(ManagedTensor*);
};
struct VersionedTensor {
  std::uint32_t major, minor;
  void* context;
  void (*deleter)(VersionedTensor*);
  std::uint64_t flags;
  rafter_tensor tensor;
};
constexpr std::uint64_t flag_read_only = 1;

/// DLPack 1.3's table of functions, by which a package exports tensors without Python calls.
struct ExchangeApi {
  std::uint32_t major, minor;
  ExchangeApi* previous;
  int (*allocate)(rafter_tensor*, VersionedTensor**, void*, void (*)(void*, const char*, const char*));
  int (*managed_from_object)(void*, VersionedTensor**);
  int (*object_from_managed)(VersionedTensor*, void**);
  int (*tensor_from_object)(void*, rafter_tensor*);
  int (*current_stream)(std::int32_t, std::int32_t, void**);
};

const ExchangeApi* exchange_api_of(nb::handle type) {
  nb::object capsule = nb::getattr(type, "__dlpack_c_exchange_api__", nb::none());
  if (!PyCapsule_IsValid(capsule.ptr(), "dlpack_exchange_api")) return nullptr;
  const auto* api = static_cast<const ExchangeApi*>(PyCapsule_GetPointer(capsule.ptr(), "dlpack_exchange_api"));
  while (api != nullptr && api->major > 1) api = api->previous;
  return api != nullptr && api->major == 1 && api->tensor_from_object != nullptr ? api : nullptr;
}

// ---- packages ----

/// The objects of a package that results are made with. Packages are looked up when an array of theirs first arrives:
/// importing this module imports none of them.
struct Package {
  PyObject* array_type = nullptr;
  PyObject* empty = nullptr;
  PyObject* module = nullptr;
  const ExchangeApi* exchange = nullptr;
};

PyObject* new_reference(nb::object object) { return object.release().ptr(); }  // lives as long as the process

Package load(const char* module_name, const char* array_type) {
  const nb::object module = nb::module_::import_(module_name);
  Package package;
  package.array_type = new_reference(module.attr(array_type));
  package.empty = new_reference(module.attr("empty"));
  package.module = new_reference(nb::object(module));
  package.exchange = exchange_api_of(package.array_type);
  return package;
}

const Package& numpy() {
  static const Package package = load("numpy", "ndarray");
  return package;
}

const Package& torch() {
  static const Package package = load("torch", "Tensor");
  return package;
}

/// Whether a module is imported. An object can only belong to one that is.
bool is_imported(const char* module) {
  PyObject* const modules = PyImport_GetModuleDict();
  return PyDict_GetItemString(modules, module) != nullptr;
}

bool is_torch_tensor(nb::handle object) {
  static bool is_known = false;  // under the GIL
  if (!is_known) is_known = is_imported("torch");
  return is_known && PyObject_IsInstance(object.ptr(), torch().array_type) == 1;
}

bool is_numpy_array(nb::handle object) {
  return is_imported("numpy") && PyObject_IsInstance(object.ptr(), numpy().array_type) == 1;
}

/// Returns the name of the package that an array's type belongs to; "jax" for jaxlib.
std::string package_of(nb::handle array) {
  const nb::handle type(reinterpret_cast<PyObject*>(Py_TYPE(array.ptr())));
  const std::string module = nb::cast<std::string>(nb::str(type.attr("__module__")));
  const std::string package = module.substr(0, module.find('.'));
  return package == "jaxlib" ? "jax" : package;
}

std::string name_of_type(nb::handle object) {
  return nb::cast<std::string>(nb::getattr(nb::handle(reinterpret_cast<PyObject*>(Py_TYPE(object.ptr()))), "__name__"));
}

long as_long(nb::handle object) {
  const auto index = nb::steal(PyNumber_Index(object.ptr()));
  const long value = index.is_valid() ? PyLong_AsLong(index.ptr()) : -1;
  if (value == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
  return value;
}

}  // namespace

std::string type_name(const rafter_dtype& type) {
  for (const auto& [name, named] : named_types)
    if (named.code == type.code && named.bits == type.bits && named.lanes == type.lanes) return name;
  return "";
}

rafter_dtype type_of(const char* argument, nb::handle object) {
  std::string text;
  if (nb::isinstance<nb::str>(object))
    text = nb::cast<std::string>(object);
  else if (nb::hasattr(object, "name"))  // numpy.dtype
    text = nb::cast<std::string>(nb::str(object.attr("name")));
  else if (nb::hasattr(object, "__name__"))  // numpy.float32
    text = nb::cast<std::string>(nb::str(object.attr("__name__")));
  else  // torch.float32
    text = nb::cast<std::string>(nb::str(object));
  text = text.substr(text.rfind('.') + 1);
  for (const auto& [name, type] : named_types)
    if (text == name) return type;
  throw nb::type_error(
      (std::string(argument) + " should be the name of an element type, such as 'float32', is '" + text + "'").c_str());
}

Array::Array(const char* op, const char* argument, nb::handle object, Access access)
    : op_(op), argument_(argument), object_(object) {
  if (is_torch_tensor(object)) {
    framework_ = Framework::torch;
    if (nb::cast<bool>(object.attr("requires_grad")))
      throw nb::value_error((std::string(op_) + ": " + argument_ + " requires gradients, which rafter." + op_ +
                             " does not compute: call rafter.torch." + op_ + ", or pass " + argument_ + ".detach()")
                                .c_str());
    if (!take_exchanged()) take_dlpack(access);
  } else if (take_buffer(access)) {  // arrays of CuPy and JAX have a buffer, too, which they refuse on a GPU
    framework_ = Framework::numpy;
  } else if (nb::hasattr(object, "__dlpack__") && !is_numpy_array(object)) {
    take_dlpack(access);
  } else if (const nb::object type = nb::getattr(object, "dtype", nb::none()); !type.is_none()) {
    throw nb::type_error((std::string(op_) + ": " + argument_ + " should have elements of a number type, has " +
                          nb::cast<std::string>(nb::str(type)))
                             .c_str());
  } else {
    throw nb::type_error((std::string(op_) + ": " + argument_ +
                          " should be an array (of NumPy, PyTorch, or with DLPack or a buffer), is " +
                          name_of_type(object))
                             .c_str());
  }
}

std::int64_t Array::size() const noexcept {
  std::int64_t product = 1;
  for (int i = 0; i < tensor_.ndim; ++i) product *= tensor_.shape[i];
  return product;
}

void Array::refuse(const std::string& complaint) const {
  throw nb::value_error((std::string(op_) + ": " + argument_ + " " + complaint).c_str());
}

bool Array::take_buffer(Access access) {
  if (!PyObject_CheckBuffer(object_.ptr())) return false;
  if (PyObject_GetBuffer(object_.ptr(), &held_.view, PyBUF_STRIDED_RO | PyBUF_FORMAT) != 0) {
    PyErr_Clear();
    return false;
  }
  held_.is_held = true;
  const Py_buffer& view = held_.view;
  if (access == Access::write && view.readonly != 0) refuse("should be writable, is read-only");
  const std::string_view format = view.format != nullptr ? view.format : "B";
  if (!format.empty() && (format[0] == '>' || format[0] == '!') && view.itemsize > 1)
    refuse("should have the byte order of this machine, has the other one");
  tensor_.dtype = type_of_format(format, view.itemsize);
  if (tensor_.dtype.lanes == 0)
    throw nb::type_error((std::string(op_) + ": " + argument_ + " should have elements of a number type, has '" +
                          std::string(format) + "'")
                             .c_str());
  tensor_.data = view.buf;
  tensor_.device = {RAFTER_DEVICE_CPU, 0};
  tensor_.ndim = view.ndim;
  static_assert(sizeof(Py_ssize_t) == sizeof(std::int64_t));
  tensor_.shape = reinterpret_cast<std::int64_t*>(view.shape);
  if (view.ndim > inline_axes) more_strides_.resize(static_cast<std::size_t>(view.ndim));
  tensor_.strides = more_strides_.empty() ? inline_strides_ : more_strides_.data();
  for (int i = 0; i < view.ndim; ++i) {
    if (view.strides[i] % view.itemsize != 0)
      refuse("should have strides that are multiples of its elements of " + std::to_string(view.itemsize) + " bytes");
    tensor_.strides[i] = view.strides[i] / view.itemsize;
  }
  return true;
}

bool Array::take_exchanged() {
  const ExchangeApi* const api = torch().exchange;
  if (api == nullptr || Py_TYPE(object_.ptr()) != reinterpret_cast<PyTypeObject*>(torch().array_type)) return false;
  if (api->tensor_from_object(object_.ptr(), &tensor_) == 0) return true;
  PyErr_Clear();  // __dlpack__() has the better message
  return false;
}

void Array::take_dlpack(Access access) {
  if (access == Access::write && package_of(object_) == "jax")  // its exports do not say that they are read-only
    refuse("should be writable, is an array of JAX");
  try {
    const nb::object device = object_.attr("__dlpack_device__")();
    const long kind = as_long(device[0]);
    tensor_.device = {static_cast<std::int32_t>(kind), static_cast<std::int32_t>(as_long(device[1]))};
    if (kind != RAFTER_DEVICE_CPU && kind != RAFTER_DEVICE_CUDA && kind != RAFTER_DEVICE_CUDA_HOST &&
        kind != RAFTER_DEVICE_CUDA_MANAGED)
      refuse("should be on the CPU or on a CUDA GPU, is on DLPack's device type " + std::to_string(kind));
    nb::dict options;
    if (kind ==
        RAFTER_DEVICE_CUDA) {  // the exporter makes this stream wait for its own; 1 is the legacy default stream
      const auto stream = reinterpret_cast<std::uintptr_t>(current_stream(*this));
      options["stream"] = nb::int_(stream == 0 ? std::uintptr_t{1} : stream);
    }
    options["max_version"] = nb::make_tuple(1, 0);
    nb::object capsule;
    try {
      capsule = object_.attr("__dlpack__")(**options);
    } catch (nb::python_error& error) {
      if (!error.matches(PyExc_TypeError)) throw;  // an exporter of DLPack before 1.0 does not know max_version
      PyDict_DelItemString(options.ptr(), "max_version");
      capsule = object_.attr("__dlpack__")(**options);
    }
    take_capsule(std::move(capsule), access);
  } catch (nb::python_error& error) {
    refuse("cannot be used in place: " + nb::cast<std::string>(nb::str(error.value())));
  }
}

void Array::take_capsule(nb::object capsule, Access access) {
  if (PyCapsule_IsValid(capsule.ptr(), "dltensor_versioned")) {
    const auto* managed =
        static_cast<const VersionedTensor*>(PyCapsule_GetPointer(capsule.ptr(), "dltensor_versioned"));
    if (managed->major != 1) refuse("should be exported by DLPack 1, is by " + std::to_string(managed->major));
    if (access == Access::write && (managed->flags & flag_read_only) != 0) refuse("should be writable, is read-only");
    tensor_ = managed->tensor;
  } else if (PyCapsule_IsValid(capsule.ptr(), "dltensor")) {
    tensor_ = static_cast<const ManagedTensor*>(PyCapsule_GetPointer(capsule.ptr(), "dltensor"))->tensor;
  } else {
    refuse("returned no DLPack capsule");
  }
  capsule_ = std::move(capsule);  // never renamed: its destructor frees the export
}

void* current_stream(const Array& array) {
  const rafter_device device = array.tensor()->device;
  if (array.framework() == Framework::torch) {
    const ExchangeApi* const api = torch().exchange;
    void* stream = nullptr;
    if (api != nullptr && api->current_stream != nullptr) {
      if (api->current_stream(device.device_type, device.device_id, &stream) != 0) throw nb::python_error();
      return stream;
    }
    const nb::object current = nb::handle(torch().module).attr("cuda").attr("current_stream")(device.device_id);
    return reinterpret_cast<void*>(nb::cast<std::uintptr_t>(current.attr("cuda_stream")));
  }
  if (is_imported("cupy")) {
    const nb::object current = nb::module_::import_("cupy").attr("cuda").attr("get_current_stream")();
    return reinterpret_cast<void*>(nb::cast<std::uintptr_t>(current.attr("ptr")));
  }
  return nullptr;
}

nb::object new_array(const char* op, const Array& like, const rafter_dtype& type,
                     const std::vector<std::int64_t>& shape) {
  const std::string name = type_name(type);
  const auto extents = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(shape.size())));
  for (std::size_t i = 0; i < shape.size(); ++i)
    PyTuple_SetItem(extents.ptr(), static_cast<Py_ssize_t>(i), PyLong_FromLongLong(shape[i]));
  if (like.framework() == Framework::torch) {
    const nb::handle module(torch().module);
    return nb::handle(torch().empty)(extents, nb::arg("dtype") = module.attr(name.c_str()),
                                     nb::arg("device") = like.object().attr("device"));
  }
  if (like.framework() == Framework::numpy) {
    if (type.code == RAFTER_TYPE_BFLOAT)
      throw nb::type_error((std::string(op) + ": NumPy has no bfloat16: pass `out`, or a tensor").c_str());
    return nb::handle(numpy().empty)(extents, name.c_str());
  }
  const std::string package = package_of(like.object());
  if (package == "cupy") {
    const nb::object device = like.object().attr("device");  // a context: arrays are made on the current GPU
    device.attr("__enter__")();
    const nb::object made = nb::module_::import_("cupy").attr("empty")(extents, name.c_str());
    device.attr("__exit__")(nb::none(), nb::none(), nb::none());
    return made;
  }
  if (package != "jax" && nb::hasattr(like.object(), "__array_namespace__")) {  // arrays of JAX cannot be written
    const nb::object space = like.object().attr("__array_namespace__")();
    return space.attr("empty")(extents, nb::arg("dtype") = space.attr(name.c_str()),
                               nb::arg("device") = like.object().attr("device"));
  }
  throw nb::type_error(
      (std::string(op) + ": cannot make a result of the type " + name_of_type(like.object()) + ": pass `out`").c_str());
}

}  // namespace rafter::python
