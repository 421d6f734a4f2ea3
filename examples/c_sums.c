/* Sums an array and the rows of a matrix through the C API, on a GPU if available. */
#include <rafter/rafter.h>
#include <stdio.h>
#include <stdlib.h>

enum { n = 1000000, n_rows = 4 };

static void check(rafter_status status) {
  if (status == RAFTER_OK) return;
  fprintf(stderr, "c_sums: %s: %s\n", rafter_status_name(status), rafter_last_error()->message);
  exit(1);
}

int main(void) {
  if (rafter_abi_version() >> 16 != RAFTER_ABI_MAJOR || rafter_abi_version() < RAFTER_ABI_VERSION) {
    fprintf(stderr, "c_sums: the library is older than the header\n");
    return 1;
  }
  const int has_gpu = rafter_device_available(RAFTER_DEVICE_CUDA) == RAFTER_OK;
  rafter_stream* stream;
  check(has_gpu ? rafter_stream_new_cuda(-1, &stream) : rafter_stream_cpu(0, &stream));
  rafter_device device;
  check(rafter_stream_device(stream, &device));

  double* numbers = malloc(n * sizeof(double));
  if (numbers == NULL) return 1;
  for (int i = 0; i < n; ++i) numbers[i] = i + 1;
  rafter_buffer *in_memory, *out_memory;
  check(rafter_buffer_create(stream, n * sizeof(double), &in_memory));
  check(rafter_buffer_create(stream, (1 + n_rows) * sizeof(double), &out_memory));
  check(rafter_buffer_write(in_memory, 0, numbers, n * sizeof(double)));

  const rafter_dtype float64 = rafter_make_dtype(RAFTER_TYPE_FLOAT, 64);
  int64_t shape[] = {n_rows, n / n_rows}, one = 1, rows = n_rows;
  const rafter_tensor in = rafter_make_tensor(rafter_buffer_data(in_memory), device, float64, 2, shape);
  const rafter_tensor total = rafter_make_tensor(rafter_buffer_data(out_memory), device, float64, 1, &one);
  rafter_tensor per_row = rafter_make_tensor(rafter_buffer_data(out_memory), device, float64, 1, &rows);
  per_row.byte_offset = sizeof(double); /* behind the total */
  check(rafter_sum(stream, &in, &total));
  check(rafter_row_sums(stream, &in, &per_row));

  double answers[1 + n_rows];
  check(rafter_buffer_read(out_memory, 0, answers, sizeof answers));
  printf("on %s the sum is %.0f, by rows %.0f %.0f %.0f %.0f\n", has_gpu ? "cuda" : "cpu", answers[0], answers[1],
         answers[2], answers[3], answers[4]);

  rafter_buffer_destroy(in_memory);
  rafter_buffer_destroy(out_memory);
  rafter_stream_destroy(stream);
  free(numbers);
  return 0;
}
