/* The header in C99, and the layout that bindings rely on: that of DLPack 1.x on 64-bit machines. */
#include <stddef.h>

#include "rafter/rafter.h"

#define REQUIRE(name, condition) typedef char name[(condition) ? 1 : -1]

REQUIRE(dtype_size, sizeof(rafter_dtype) == 4);
REQUIRE(dtype_bits, offsetof(rafter_dtype, bits) == 1);
REQUIRE(dtype_lanes, offsetof(rafter_dtype, lanes) == 2);
REQUIRE(device_size, sizeof(rafter_device) == 8);
REQUIRE(device_id, offsetof(rafter_device, device_id) == 4);
REQUIRE(tensor_size, sizeof(rafter_tensor) == 48);
REQUIRE(tensor_data, offsetof(rafter_tensor, data) == 0);
REQUIRE(tensor_device, offsetof(rafter_tensor, device) == 8);
REQUIRE(tensor_ndim, offsetof(rafter_tensor, ndim) == 16);
REQUIRE(tensor_dtype, offsetof(rafter_tensor, dtype) == 20);
REQUIRE(tensor_shape, offsetof(rafter_tensor, shape) == 24);
REQUIRE(tensor_strides, offsetof(rafter_tensor, strides) == 32);
REQUIRE(tensor_byte_offset, offsetof(rafter_tensor, byte_offset) == 40);

/* Version 1.0 of the structs: fields may only be appended. */
REQUIRE(error_size, sizeof(rafter_error) == 40);
REQUIRE(resource_size, sizeof(rafter_memory_resource) == 40);
REQUIRE(pool_size, sizeof(rafter_thread_pool) == 40);
REQUIRE(predicate_size, sizeof(rafter_predicate) == 32);
REQUIRE(column_size, sizeof(rafter_filter_column) == 16);
REQUIRE(conv_size, sizeof(rafter_conv_options) == 64);
REQUIRE(problem_size, sizeof(rafter_heat_problem) == 56);
REQUIRE(face_size, sizeof(rafter_heat_face) == 16);
REQUIRE(function_size, sizeof(rafter_heat_function) == 32);
REQUIRE(state_size, sizeof(rafter_heat_state) == 48);
REQUIRE(shape_size, sizeof(rafter_spectral_shape) == 40);
REQUIRE(properties_size, sizeof(rafter_forcefield_properties) == 56);
REQUIRE(cell_size, sizeof(rafter_unit_cell) == 88);

/* Adds the numbers 1 to 4 in C. Returns the sum, or minus the status. */
double rafter_test_sum_in_c(void);

double rafter_test_sum_in_c(void) {
  double numbers[4] = {1, 2, 3, 4};
  double sum = 0;
  int64_t n = 4;
  int64_t one = 1;
  rafter_device device;
  rafter_stream* stream = NULL;
  rafter_status status = rafter_stream_cpu(1, &stream);
  if (status == RAFTER_OK) status = rafter_stream_device(stream, &device);
  if (status == RAFTER_OK) {
    const rafter_dtype float64 = rafter_make_dtype(RAFTER_TYPE_FLOAT, 64);
    const rafter_tensor in = rafter_make_tensor(numbers, device, float64, 1, &n);
    const rafter_tensor out = rafter_make_tensor(&sum, device, float64, 1, &one);
    status = rafter_sum(stream, &in, &out);
  }
  rafter_stream_destroy(stream);
  return status == RAFTER_OK ? sum : -status;
}
