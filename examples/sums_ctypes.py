"""Sums an array through the C API with nothing but Python's standard library: sums_ctypes.py librafter_c.so"""
import array
import ctypes
import sys


class Device(ctypes.Structure):
    _fields_ = [("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32)]


class DType(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class Tensor(ctypes.Structure):  # DLPack's DLTensor
    _fields_ = [("data", ctypes.c_void_p), ("device", Device), ("ndim", ctypes.c_int32), ("dtype", DType),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64)]


class Error(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("status", ctypes.c_int32), ("message", ctypes.c_char_p),
                ("function", ctypes.c_char_p), ("argument", ctypes.c_char_p)]


rafter = ctypes.CDLL(sys.argv[1] if len(sys.argv) > 1 else "librafter_c.so.1")
rafter.rafter_last_error.restype = ctypes.POINTER(Error)
rafter.rafter_stream_destroy.restype = None
if rafter.rafter_abi_version() >> 16 != 1:
    sys.exit("the library has another ABI")


def check(status):
    """Raises the library's message. The thread that failed asks for it."""
    if status != 0:
        raise ValueError(rafter.rafter_last_error().contents.message.decode())


def tensor(values):
    """Returns a float64 tensor of an array of the CPU, which it keeps alive."""
    shape = (ctypes.c_int64 * 1)(len(values))
    made = Tensor(values.buffer_info()[0], Device(1, 0), 1, DType(2, 64, 1), shape, None, 0)
    made.values = values
    return made


stream = ctypes.c_void_p()
check(rafter.rafter_stream_cpu(0, ctypes.byref(stream)))
numbers = tensor(array.array("d", range(1, 1000001)))
total = tensor(array.array("d", [0]))
check(rafter.rafter_sum(stream, ctypes.byref(numbers), ctypes.byref(total)))
print(f"the sum is {total.values[0]:.0f}")
try:
    check(rafter.rafter_sum(stream, ctypes.byref(numbers), ctypes.byref(numbers)))
except ValueError as error:
    print(error)  # rafter_sum: out should have 1 element, has 1000000
rafter.rafter_stream_destroy(stream)
