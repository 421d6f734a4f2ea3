/* The C ABI of Rafter, for other languages and for programs that must not depend on a C++ ABI. docs/c-api.md is the
 * guide; it has a complete program. One file, because binding generators read one. The C++ headers next to this one
 * describe each op in full: its result, its error bound and its order of additions, which are the same here.
 *
 * Every function returns a rafter_status unless it cannot fail. No exception crosses the ABI. After a failure
 * rafter_last_error() describes what happened; bad arguments are found before anything is written.
 *
 * Arrays are DLPack tensors, which the caller owns. Inputs come first and are not written, although DLPack has no const
 * pointers; outputs come last. Tensors must be on the stream's device: CPU tensors for a CPU stream, CUDA tensors with
 * the stream's ordinal for a CUDA stream, and page-locked (CUDA host) or managed tensors for either. An op that takes
 * "any shape" takes contiguous tensors and treats them as arrays; "rows may be strided" means that only the last axis
 * must be contiguous. Shapes are given as [rows, columns]. Outputs must not overlap inputs unless the op allows it.
 *
 * On a CPU stream a function returns when its work is done. On a CUDA stream it enqueues the work; errors of a kernel
 * are reported by rafter_stream_synchronize() or a later call. Ops can be captured in a CUDA graph unless stated.
 *
 * Any thread may call any function. A solver must be used by one thread at a time; other handles by any number. Handles
 * keep what they need: a stream may be destroyed before the models made on it. Functions that create a handle set it to
 * null on failure; functions that destroy one accept null. */
#ifndef RAFTER_RAFTER_H
#define RAFTER_RAFTER_H

#include <stddef.h>
#include <stdint.h>

#ifndef RAFTER_API
#define RAFTER_API __attribute__((visibility("default")))
#endif

#if defined(__cplusplus) && __cplusplus >= 201103L
#define RAFTER_NOEXCEPT noexcept
#else
#define RAFTER_NOEXCEPT
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Version ---- */

/* A library serves a program if both have the same major version and the library's minor version is not less than the
 * one that the program was compiled with. A minor version adds functions, constants and fields at the end of structs
 * with a struct_size; nothing else changes. */
#define RAFTER_ABI_MAJOR 1
#define RAFTER_ABI_MINOR 0
#define RAFTER_ABI_VERSION ((RAFTER_ABI_MAJOR << 16) | RAFTER_ABI_MINOR)

/* Returns the RAFTER_ABI_VERSION of the loaded library. */
RAFTER_API uint32_t rafter_abi_version(void) RAFTER_NOEXCEPT;

/* Returns the version of the library, such as "0.1.0". */
RAFTER_API const char* rafter_version(void) RAFTER_NOEXCEPT;

/* ---- Errors ---- */

typedef int32_t rafter_status;
enum {
  RAFTER_OK = 0,
  RAFTER_BAD_ARGUMENT = 1,   /* an argument is invalid; nothing was written */
  RAFTER_UNSUPPORTED = 2,    /* the request is valid, but this device, build or version does not support it */
  RAFTER_OUT_OF_MEMORY = 3,  /* an allocation failed; existing objects are unchanged */
  RAFTER_DEVICE_FAILURE = 4, /* a CUDA call or kernel failed */
  RAFTER_IO = 5,             /* a file could not be read or written */
  RAFTER_INTERNAL = 6        /* an unexpected exception, of the library or of a callback */
};

/* The library owns this struct; later versions may append fields and increase struct_size. */
typedef struct rafter_error {
  size_t struct_size;
  rafter_status status;
  const char* message;  /* what happened, what was expected and what was passed; "" if nothing failed yet */
  const char* function; /* the function that failed, such as "rafter_sum" */
  const char* argument; /* the parameter or member of a struct that is invalid; "" if the error is not about one */
} rafter_error;

/* Returns the last failure of the calling thread. Never null; valid until the next failure in this thread. */
RAFTER_API const rafter_error* rafter_last_error(void) RAFTER_NOEXCEPT;

/* Returns the name of a status, such as "bad argument"; "unknown status" for other numbers. */
RAFTER_API const char* rafter_status_name(rafter_status status) RAFTER_NOEXCEPT;

/* ---- Tensors ---- */

/* Structs of the layout of DLPack 1.x, so that a pointer to any DLTensor may be cast to const rafter_tensor*. If
 * dlpack/dlpack.h is included before this header, they are DLPack's own and no cast is needed. */
#ifdef DLPACK_DLPACK_H_
typedef DLDevice rafter_device;
typedef DLDataType rafter_dtype;
typedef DLTensor rafter_tensor;
#else
typedef struct rafter_device {
  int32_t device_type; /* RAFTER_DEVICE_... */
  int32_t device_id;
} rafter_device;

typedef struct rafter_dtype {
  uint8_t code; /* RAFTER_TYPE_... */
  uint8_t bits;
  uint16_t lanes; /* 1 */
} rafter_dtype;

typedef struct rafter_tensor {
  void* data; /* may be null if there are no elements */
  rafter_device device;
  int32_t ndim;
  rafter_dtype dtype;
  int64_t* shape;       /* [ndim] */
  int64_t* strides;     /* [ndim], in elements; null: contiguous, row-major */
  uint64_t byte_offset; /* from data to the first element */
} rafter_tensor;
#endif

enum { RAFTER_DEVICE_CPU = 1, RAFTER_DEVICE_CUDA = 2, RAFTER_DEVICE_CUDA_HOST = 3, RAFTER_DEVICE_CUDA_MANAGED = 13 };
enum { RAFTER_TYPE_INT = 0, RAFTER_TYPE_UINT = 1, RAFTER_TYPE_FLOAT = 2, RAFTER_TYPE_BFLOAT = 4 };

/* Returns an element type: rafter_make_dtype(RAFTER_TYPE_FLOAT, 32) is float32. */
static inline rafter_dtype rafter_make_dtype(uint8_t code, uint8_t bits) {
  rafter_dtype type;
  type.code = code;
  type.bits = bits;
  type.lanes = 1;
  return type;
}

/* Returns a contiguous tensor of `shape`, [ndim], which must outlive it. */
static inline rafter_tensor rafter_make_tensor(void* data, rafter_device device, rafter_dtype dtype, int32_t ndim,
                                               int64_t* shape) {
  rafter_tensor tensor;
  tensor.data = data;
  tensor.device = device;
  tensor.ndim = ndim;
  tensor.dtype = dtype;
  tensor.shape = shape;
  tensor.strides = NULL;
  tensor.byte_offset = 0;
  return tensor;
}

/* A number in host memory. Floating-point elements use `real`, rounded to their type, and integers use `integer`, which
 * must fit their type; the other field must be 0. */
typedef struct rafter_scalar {
  double real;
  int64_t integer;
} rafter_scalar;

/* ---- Streams ---- */

typedef struct rafter_stream rafter_stream;

/* Returns RAFTER_OK if the process can use devices of a type (CPU or CUDA), RAFTER_UNSUPPORTED with the reason if not.
 */
RAFTER_API rafter_status rafter_device_available(int32_t device_type) RAFTER_NOEXCEPT;

/* Creates a stream that runs native code on `n_threads` threads; 0: as many as the process may use. */
RAFTER_API rafter_status rafter_stream_cpu(int32_t n_threads, rafter_stream** stream) RAFTER_NOEXCEPT;

/* Creates a stream for a cudaStream_t (null: the legacy default stream), which the caller keeps, of the GPU with this
 * ordinal (-1: the current one). Cheap enough to be called for every op. */
RAFTER_API rafter_status rafter_stream_cuda(void* cuda_stream, int32_t ordinal, rafter_stream** stream) RAFTER_NOEXCEPT;

/* Creates a stream with a new cudaStream_t of the GPU with this ordinal (-1: the current one), for programs without the
 * CUDA runtime. */
RAFTER_API rafter_status rafter_stream_new_cuda(int32_t ordinal, rafter_stream** stream) RAFTER_NOEXCEPT;

RAFTER_API void rafter_stream_destroy(rafter_stream* stream) RAFTER_NOEXCEPT;

/* Writes the device of the tensors that the stream takes. */
RAFTER_API rafter_status rafter_stream_device(const rafter_stream* stream, rafter_device* device) RAFTER_NOEXCEPT;

/* Writes the cudaStream_t; null for a CPU stream. */
RAFTER_API rafter_status rafter_stream_handle(const rafter_stream* stream, void** cuda_stream) RAFTER_NOEXCEPT;

/* Makes ops on the stream verify that its device can access each tensor's memory, whatever the tensor says (not 0), or
 * trust the tensors (0, the default). Takes about a microsecond per tensor. */
RAFTER_API rafter_status rafter_stream_check_pointers(const rafter_stream* stream, int32_t check) RAFTER_NOEXCEPT;

/* Waits for all work on the stream. Fails if any of it failed. */
RAFTER_API rafter_status rafter_stream_synchronize(const rafter_stream* stream) RAFTER_NOEXCEPT;

/* Allocates at least `bytes` of scratch memory now, before a capture; -1: as much as any op may request. */
RAFTER_API rafter_status rafter_stream_reserve(const rafter_stream* stream, int64_t bytes) RAFTER_NOEXCEPT;

/* Frees the stream's scratch memory in stream order. Call it before cudaStreamDestroy(); the stream cannot run ops that
 * need scratch afterwards. */
RAFTER_API rafter_status rafter_stream_release(const rafter_stream* stream) RAFTER_NOEXCEPT;

/* ---- Memory ---- */

/* Memory on a stream's device, for programs without another allocator; 256-byte aligned. */
typedef struct rafter_buffer rafter_buffer;

RAFTER_API rafter_status rafter_buffer_create(const rafter_stream* stream, int64_t bytes,
                                              rafter_buffer** buffer) RAFTER_NOEXCEPT;
/* Frees the memory in stream order. */
RAFTER_API void rafter_buffer_destroy(rafter_buffer* buffer) RAFTER_NOEXCEPT;
/* Returns the address on the device; null for a null or an empty buffer. */
RAFTER_API void* rafter_buffer_data(const rafter_buffer* buffer) RAFTER_NOEXCEPT;
/* Copy `bytes` from host memory into the buffer at `offset`, or from there to host memory. Wait for the copy. */
RAFTER_API rafter_status rafter_buffer_write(rafter_buffer* buffer, int64_t offset, const void* host,
                                             int64_t bytes) RAFTER_NOEXCEPT;
RAFTER_API rafter_status rafter_buffer_read(const rafter_buffer* buffer, int64_t offset, void* host,
                                            int64_t bytes) RAFTER_NOEXCEPT;

/* A stream-ordered allocator of the host program. Callbacks may be called by any thread, with the stream's device
 * current. */
typedef struct rafter_memory_resource {
  size_t struct_size;
  void* context;
  /* Returns at least `bytes` bytes, aligned to 256, for work enqueued on `cuda_stream` from now on; null: no memory. */
  void* (*allocate)(void* context, int64_t bytes, void* cuda_stream);
  /* Frees them. Work already enqueued on `cuda_stream` may still use them. */
  void (*deallocate)(void* context, void* memory, int64_t bytes, void* cuda_stream);
  /* Called once, when the library makes no further calls; may be null. Not called if the resource was refused. */
  void (*release)(void* context);
} rafter_memory_resource;

/* Makes streams of a device type take their scratch memory from `resource`; null: from the device's own allocator.
 * Scratch taken earlier returns to the resource that it came from. */
RAFTER_API rafter_status rafter_set_memory_resource(int32_t device_type,
                                                    const rafter_memory_resource* resource) RAFTER_NOEXCEPT;

/* A part of an op's work. It never fails. */
typedef void (*rafter_task)(void* task_context, int32_t i);

/* Threads of the host program for the ops of CPU streams. */
typedef struct rafter_thread_pool {
  size_t struct_size;
  void* context;
  /* Calls task(task_context, i) once for each i of [0, n), on any threads, and returns when all calls have returned.
   * Called from any thread that calls an op, also from within a task. Returns another status than RAFTER_OK if it did
   * not make all calls; the op then fails and its outputs are undefined. */
  rafter_status (*run)(void* context, int32_t n, rafter_task task, void* task_context);
  /* Called once, when the library makes no further calls; may be null. Not called if the pool was refused. */
  void (*release)(void* context);
  int32_t n_threads; /* the threads that run() may use, the calling one included */
  int32_t reserved;  /* 0 */
} rafter_thread_pool;

/* Makes ops of CPU streams run on `pool`; null: on the library's own threads. Call it while no op runs. */
RAFTER_API rafter_status rafter_set_thread_pool(const rafter_thread_pool* pool) RAFTER_NOEXCEPT;

/* ---- Arrays ----
 * Types: F = float32, float64, float16, bfloat16; N = F, int32, int64; S = float32, float64, int32, int64. */

/* Writes `value` to every element of `out`: N, any shape. */
RAFTER_API rafter_status rafter_fill(const rafter_stream* stream, rafter_scalar value,
                                     const rafter_tensor* out) RAFTER_NOEXCEPT;

/* Writes a * b + c, element by element. All are N, of one type and shape; `out` may be one of the inputs. */
RAFTER_API rafter_status rafter_mul_add(const rafter_stream* stream, const rafter_tensor* a, const rafter_tensor* b,
                                        const rafter_tensor* c, const rafter_tensor* out) RAFTER_NOEXCEPT;

/* Writes a * b, element by element. All are N, of one type and shape; `out` may be one of the inputs. */
RAFTER_API rafter_status rafter_multiply(const rafter_stream* stream, const rafter_tensor* a, const rafter_tensor* b,
                                         const rafter_tensor* out) RAFTER_NOEXCEPT;

/* Writes a * factor. Both are N, of one type and shape; `out` may be `a`. */
RAFTER_API rafter_status rafter_scale(const rafter_stream* stream, const rafter_tensor* a, rafter_scalar factor,
                                      const rafter_tensor* out) RAFTER_NOEXCEPT;

/* Writes the elements of `in`, converted to the type of `out`. Both are N, of any types and one shape; `out` may be
 * `in` if the types have the same size. Floats are rounded to nearest, integers towards zero; integers out of range
 * become the least or the greatest of their type, NaN becomes 0. */
RAFTER_API rafter_status rafter_convert(const rafter_stream* stream, const rafter_tensor* in,
                                        const rafter_tensor* out) RAFTER_NOEXCEPT;

/* Writes start + i * step to element i of `out`, N [n]. Integers wrap around. */
RAFTER_API rafter_status rafter_iota(const rafter_stream* stream, rafter_scalar start, rafter_scalar step,
                                     const rafter_tensor* out) RAFTER_NOEXCEPT;

/* Writes the sum of `in`, N of any shape, to the one element of `out`: int64 for integers, else of the type of `in`. */
RAFTER_API rafter_status rafter_sum(const rafter_stream* stream, const rafter_tensor* in,
                                    const rafter_tensor* out) RAFTER_NOEXCEPT;

/* Write the least or the greatest element of `in`, N of any shape but not empty, to the one element of `out`. NaN
 * propagates; -0 is less than +0. */
RAFTER_API rafter_status rafter_minimum(const rafter_stream* stream, const rafter_tensor* in,
                                        const rafter_tensor* out) RAFTER_NOEXCEPT;
RAFTER_API rafter_status rafter_maximum(const rafter_stream* stream, const rafter_tensor* in,
                                        const rafter_tensor* out) RAFTER_NOEXCEPT;

/* Write the index of that element, in row-major order, to the one element of `index`, int64: of equal ones, or of NaNs,
 * the first. */
RAFTER_API rafter_status rafter_argmin(const rafter_stream* stream, const rafter_tensor* in,
                                       const rafter_tensor* index) RAFTER_NOEXCEPT;
RAFTER_API rafter_status rafter_argmax(const rafter_stream* stream, const rafter_tensor* in,
                                       const rafter_tensor* index) RAFTER_NOEXCEPT;

/* Write the prefix sums of `in`, S [n], to `out`, [n], which may be `in`. Inclusive sums contain in[i]. */
RAFTER_API rafter_status rafter_inclusive_sum(const rafter_stream* stream, const rafter_tensor* in,
                                              const rafter_tensor* out) RAFTER_NOEXCEPT;
RAFTER_API rafter_status rafter_exclusive_sum(const rafter_stream* stream, const rafter_tensor* in,
                                              const rafter_tensor* out) RAFTER_NOEXCEPT;

enum {
  RAFTER_LESS = 0,
  RAFTER_LESS_EQUAL = 1,
  RAFTER_GREATER = 2,
  RAFTER_GREATER_EQUAL = 3,
  RAFTER_EQUAL = 4,
  RAFTER_NOT_EQUAL = 5
};
enum { RAFTER_VALUE = 0, RAFTER_MAGNITUDE = 1 };
enum { RAFTER_ORDER_PRESERVED = 0, RAFTER_ORDER_ANY = 1 };

/* The condition `operand op bound`; the operand is an element or its magnitude. */
typedef struct rafter_predicate {
  size_t struct_size;
  int32_t op;      /* RAFTER_LESS ... RAFTER_NOT_EQUAL */
  int32_t operand; /* RAFTER_VALUE or RAFTER_MAGNITUDE */
  rafter_scalar bound;
} rafter_predicate;

/* Writes the elements of `in`, S [n], that satisfy `keep` to the front of `out`, [m], and their number to the one
 * element of `count`, int64. Elements that do not fit into `out` are counted only. */
RAFTER_API rafter_status rafter_filter(const rafter_stream* stream, const rafter_tensor* in,
                                       const rafter_predicate* keep, int32_t order, const rafter_tensor* out,
                                       const rafter_tensor* count) RAFTER_NOEXCEPT;

/* Writes the indices of the elements that satisfy `keep` to `indices`, int32 or int64 [m], otherwise as
 * rafter_filter(). */
RAFTER_API rafter_status rafter_filter_indices(const rafter_stream* stream, const rafter_tensor* in,
                                               const rafter_predicate* keep, int32_t order,
                                               const rafter_tensor* indices,
                                               const rafter_tensor* count) RAFTER_NOEXCEPT;

/* A column to be filtered, [n], and where its kept elements go, [m]: one type, of 2, 4 or 8 bytes. */
typedef struct rafter_filter_column {
  const rafter_tensor* in;
  const rafter_tensor* out;
} rafter_filter_column;

/* Writes the elements of each column whose `key`, S [n], satisfies `keep` to the front of its output, all in the same
 * order, otherwise as rafter_filter(). A column may be `key`. At most 8 columns; without any, kept keys are counted. */
RAFTER_API rafter_status rafter_filter_columns(const rafter_stream* stream, const rafter_tensor* key,
                                               const rafter_predicate* keep, int32_t order,
                                               const rafter_filter_column* columns, int32_t n_columns,
                                               const rafter_tensor* count) RAFTER_NOEXCEPT;

enum { RAFTER_INDEX_REPORT = 0, RAFTER_INDEX_CLAMP = 1, RAFTER_INDEX_ZERO = 2, RAFTER_INDEX_TRUST = 3 };

/* Writes table[indices[i]] to out[i]: table N [n], indices int32 or int64 of any shape, `out` of the indices' shape.
 * For an index outside of the table RAFTER_INDEX_CLAMP takes the first or last element, RAFTER_INDEX_ZERO writes 0, and
 * RAFTER_INDEX_REPORT leaves out[i] unchanged and writes to `bad`, int64 [2], the number of such indices and the first
 * i, or -1. `bad` is null for the others. RAFTER_INDEX_TRUST does not check: such an index is undefined behaviour. */
RAFTER_API rafter_status rafter_gather(const rafter_stream* stream, const rafter_tensor* table,
                                       const rafter_tensor* indices, int32_t out_of_range, const rafter_tensor* out,
                                       const rafter_tensor* bad) RAFTER_NOEXCEPT;

/* ---- Reductions by key ---- */

enum { RAFTER_REDUCE_SUM = 0, RAFTER_REDUCE_MEAN = 1, RAFTER_REDUCE_MIN = 2, RAFTER_REDUCE_MAX = 3 };
enum { RAFTER_KEYS_UNSORTED = 0, RAFTER_KEYS_SORTED = 1 };

/* Writes to out[k], N [n_keys], the reduction of all values[i], [n], with keys[i] == k; keys are int32 or int64 [n].
 * `counts`, int64 [n_keys], receives the number of elements of each key and is required for means. `arguments`, int64
 * [n_keys], receives the index of each minimum or maximum, -1 without elements. Both may be null. */
RAFTER_API rafter_status rafter_scatter(const rafter_stream* stream, const rafter_tensor* keys,
                                        const rafter_tensor* values, int32_t reduction, int32_t order,
                                        const rafter_tensor* out, const rafter_tensor* counts,
                                        const rafter_tensor* arguments) RAFTER_NOEXCEPT;

/* Writes the gradient with respect to the values of rafter_scatter(), F [n], given that with respect to its result,
 * out_gradient [n_keys]. `counts` (mean) and `arguments` (min, max) are those of the scatter; otherwise null. */
RAFTER_API rafter_status rafter_scatter_gradient(const rafter_stream* stream, const rafter_tensor* keys,
                                                 int32_t reduction, const rafter_tensor* counts,
                                                 const rafter_tensor* arguments, const rafter_tensor* out_gradient,
                                                 const rafter_tensor* gradient) RAFTER_NOEXCEPT;

/* Keys sorted once, to reduce many arrays by them with bit-identical results every time. */
typedef struct rafter_scatter_plan rafter_scatter_plan;

/* Sorts `keys`, int32 or int64 [n], which are not needed afterwards. Waits; must not be captured. */
RAFTER_API rafter_status rafter_scatter_plan_create(const rafter_stream* stream, const rafter_tensor* keys,
                                                    int64_t n_keys, rafter_scatter_plan** plan) RAFTER_NOEXCEPT;
RAFTER_API void rafter_scatter_plan_destroy(rafter_scatter_plan* plan) RAFTER_NOEXCEPT;

/* rafter_scatter() and rafter_scatter_gradient() by the keys of a plan. */
RAFTER_API rafter_status rafter_scatter_by_plan(const rafter_stream* stream, const rafter_scatter_plan* plan,
                                                const rafter_tensor* values, int32_t reduction,
                                                const rafter_tensor* out, const rafter_tensor* counts,
                                                const rafter_tensor* arguments) RAFTER_NOEXCEPT;
RAFTER_API rafter_status rafter_scatter_gradient_by_plan(const rafter_stream* stream, const rafter_scatter_plan* plan,
                                                         int32_t reduction, const rafter_tensor* counts,
                                                         const rafter_tensor* arguments,
                                                         const rafter_tensor* out_gradient,
                                                         const rafter_tensor* gradient) RAFTER_NOEXCEPT;

/* ---- Matrices and images ---- */

/* Writes the sum of each row of `in`, F [rows, columns], to `out`, [rows]. Rows of `in` may be strided. */
RAFTER_API rafter_status rafter_row_sums(const rafter_stream* stream, const rafter_tensor* in,
                                         const rafter_tensor* out) RAFTER_NOEXCEPT;

/* Writes the transpose of `in`, [rows, columns], to `out`, [columns, rows]. Elements of any type with 1, 2, 4, 8 or 16
 * bytes. Rows of both may be strided. */
RAFTER_API rafter_status rafter_transpose(const rafter_stream* stream, const rafter_tensor* in,
                                          const rafter_tensor* out) RAFTER_NOEXCEPT;

enum { RAFTER_CONV_FP32 = 0, RAFTER_CONV_TF32 = 1, RAFTER_CONV_FP16 = 2, RAFTER_CONV_SPLIT_FP16 = 3 };

/* Zero-initialised except for struct_size: no padding, no bias, no ReLU, no pooling, float32. */
typedef struct rafter_conv_options {
  size_t struct_size;
  int64_t pad_height, pad_width;  /* rows and columns of zeros on each side */
  const rafter_tensor* bias;      /* [maps]; null: none */
  int64_t pool_size, pool_stride; /* max pooling; 0: none, and a stride of 0 is the size */
  int32_t pool_ceil;              /* not 0: the last windows may extend past the edge */
  int32_t relu;                   /* not 0: negative values become 0, before pooling */
  int32_t precision;              /* RAFTER_CONV_...; a CPU has FP32 only */
  int32_t no_winograd;            /* not 0: FP32 does not use Winograd's algorithm */
} rafter_conv_options;

/* Writes the cross-correlation of `in`, float32 or float16 [batch, channels, height, width], with `kernels`, [maps,
 * channels, kernel height, kernel width], to `out`, [batch, maps, out height, out width], of the pooled size if there
 * is pooling. `options` may be null. */
RAFTER_API rafter_status rafter_conv(const rafter_stream* stream, const rafter_tensor* in, const rafter_tensor* kernels,
                                     const rafter_conv_options* options, const rafter_tensor* out) RAFTER_NOEXCEPT;

/* ---- Graphs in space ---- All float32; atoms of an edge are int64. */

/* Writes phi_k(distances[e]) = exp(-gamma (d - centre_k)^2) (cos(pi d / cutoff) + 1) / 2, 0 from the cutoff on, to
 * `out`, [edges, functions]; distances [edges], centres [functions]. */
RAFTER_API rafter_status rafter_radial(const rafter_stream* stream, const rafter_tensor* distances,
                                       const rafter_tensor* centres, float gamma, float cutoff,
                                       const rafter_tensor* out) RAFTER_NOEXCEPT;

/* Writes the gradient with respect to the distances, [edges], given out_gradient, [edges, functions]. */
RAFTER_API rafter_status rafter_radial_gradient(const rafter_stream* stream, const rafter_tensor* distances,
                                                const rafter_tensor* centres, float gamma, float cutoff,
                                                const rafter_tensor* out_gradient,
                                                const rafter_tensor* gradient) RAFTER_NOEXCEPT;

/* Writes vectors r[source] - r[target], [n, 3], their lengths, [n], and unit vectors, [n, 3], of the edges `index`, [2,
 * n], sources and then targets, between atoms at `positions`, [atoms, 3]. Atoms of edges are not checked. */
RAFTER_API rafter_status rafter_edge_vectors(const rafter_stream* stream, const rafter_tensor* positions,
                                             const rafter_tensor* index, const rafter_tensor* vectors,
                                             const rafter_tensor* distances,
                                             const rafter_tensor* units) RAFTER_NOEXCEPT;

/* A graph's edges, sorted by atom. */
typedef struct rafter_edge_plan rafter_edge_plan;

/* Builds the plan of `index`, [2, n], and checks its atoms. Waits; must not be captured. */
RAFTER_API rafter_status rafter_edge_plan_create(const rafter_stream* stream, const rafter_tensor* index,
                                                 int64_t n_atoms, rafter_edge_plan** plan) RAFTER_NOEXCEPT;
RAFTER_API void rafter_edge_plan_destroy(rafter_edge_plan* plan) RAFTER_NOEXCEPT;

/* Writes the gradient with respect to the positions, [atoms, 3], given those with respect to the three results of
 * rafter_edge_vectors(). */
RAFTER_API rafter_status rafter_edge_gradient(const rafter_stream* stream, const rafter_tensor* positions,
                                              const rafter_edge_plan* plan, const rafter_tensor* vectors_gradient,
                                              const rafter_tensor* distances_gradient,
                                              const rafter_tensor* units_gradient,
                                              const rafter_tensor* gradient) RAFTER_NOEXCEPT;

/* ---- Heat ---- */

/* Diffusion on a uniform grid, u_t = alpha (u_zz + u_yy + u_xx), RK4 in time. */
typedef struct rafter_heat_problem {
  size_t struct_size;
  double spacing[3]; /* between adjacent cells along z, y and x */
  double alpha;      /* diffusivity */
  double dt;         /* 0: rafter_heat_default_dt() */
  int32_t order;     /* of accuracy in space: 2, 4, 6 or 8 */
  int32_t reserved;  /* 0 */
} rafter_heat_problem;
#define RAFTER_HEAT_PROBLEM_INIT \
  { sizeof(rafter_heat_problem), {1, 1, 1}, 1, 0, 8, 0 }

/* Write the default time step, and the largest for which RK4 is stable. */
RAFTER_API rafter_status rafter_heat_default_dt(const rafter_heat_problem* problem, double* dt) RAFTER_NOEXCEPT;
RAFTER_API rafter_status rafter_heat_largest_dt(const rafter_heat_problem* problem, double* dt) RAFTER_NOEXCEPT;

/* Advances `in` by `n_steps` steps and writes `out`; `work` is overwritten. All are float32 or float64 [nz, ny, nx];
 * rows and planes may be strided. `out` may be `in`. The outer order / 2 cells on every side never change. */
RAFTER_API rafter_status rafter_heat_advance(const rafter_stream* stream, const rafter_tensor* in,
                                             const rafter_heat_problem* problem, int64_t n_steps,
                                             const rafter_tensor* out, const rafter_tensor* work) RAFTER_NOEXCEPT;

/* Advances the box of `in` that begins at cell `first`, {z, y, x}, and has the shape of `out`, by one step, and writes
 * it to `out`. On each side the box ends where `in` does, whose outer order / 2 cells are frozen there, or `in` has at
 * least 2 * order ghost cells around it. rafter_heat_box_work_size() writes the least number of elements of `work`,
 * which is contiguous and of the same type. `in` and `out` may be strided; no two may overlap. */
RAFTER_API rafter_status rafter_heat_box_work_size(const rafter_heat_problem* problem, const int64_t in_shape[3],
                                                   const int64_t first[3], const int64_t box_shape[3],
                                                   int64_t* n_elements) RAFTER_NOEXCEPT;
RAFTER_API rafter_status rafter_heat_advance_box(const rafter_stream* stream, const rafter_tensor* in,
                                                 const rafter_heat_problem* problem, const int64_t first[3],
                                                 const rafter_tensor* out, const rafter_tensor* work) RAFTER_NOEXCEPT;

enum {
  RAFTER_FACE_FROZEN = 0,   /* the outer order / 2 cells keep their values */
  RAFTER_FACE_PERIODIC = 1, /* the grid wraps around; both faces of an axis or neither */
  RAFTER_FACE_VALUE = 2,    /* the field has the value `amount` at the face */
  RAFTER_FACE_FLUX = 3,     /* heat flows in at the rate `amount` per area and time */
  RAFTER_FACE_ROBIN = 4     /* heat flows in at the rate exchange * (amount - u), where u is the field at the face */
};
enum { RAFTER_BOUNDARY_FROZEN = 0, RAFTER_BOUNDARY_PERIODIC = 1, RAFTER_BOUNDARY_ZERO_FLUX = 2 };

typedef struct rafter_heat_face {
  double amount;
  int32_t kind;     /* RAFTER_FACE_... */
  int32_t reserved; /* 0 */
} rafter_heat_face;

/* A field on a device and its time. */
typedef struct rafter_heat_solver rafter_heat_solver;

/* Creates a field of zeros, float32 or float64 of `shape`, {nz, ny, nx}, with the same boundary at all faces. */
RAFTER_API rafter_status rafter_heat_solver_create(const rafter_stream* stream, rafter_dtype dtype,
                                                   const int64_t shape[3], const rafter_heat_problem* problem,
                                                   int32_t boundary, rafter_heat_solver** solver) RAFTER_NOEXCEPT;

/* Creates a solver with a condition for each face, {z, y, x} at the low and at the high end, and support for
 * diffusivities and sources; slower. Grids may have axes of one cell. */
RAFTER_API rafter_status rafter_conduction_solver_create(const rafter_stream* stream, rafter_dtype dtype,
                                                         const int64_t shape[3], const rafter_heat_problem* problem,
                                                         const rafter_heat_face low[3], const rafter_heat_face high[3],
                                                         rafter_heat_solver** solver) RAFTER_NOEXCEPT;

/* The same with Robin faces, whose `exchange` is above 0; of other faces it is 0. */
RAFTER_API rafter_status rafter_conduction_solver_create_exchanging(
    const rafter_stream* stream, rafter_dtype dtype, const int64_t shape[3], const rafter_heat_problem* problem,
    const rafter_heat_face low[3], const rafter_heat_face high[3], const double low_exchange[3],
    const double high_exchange[3], rafter_heat_solver** solver) RAFTER_NOEXCEPT;

/* Write the default time step of a conduction solver and the largest for which RK4 is stable, and the largest with
 * diffusivities of cells. `shape` counts: an axis of one cell without values and fluxes does not limit the step. */
RAFTER_API rafter_status rafter_conduction_default_dt(const rafter_heat_problem* problem, const int64_t shape[3],
                                                      const rafter_heat_face low[3], const rafter_heat_face high[3],
                                                      double* dt) RAFTER_NOEXCEPT;
RAFTER_API rafter_status rafter_conduction_largest_dt(const rafter_heat_problem* problem, const int64_t shape[3],
                                                      const rafter_heat_face low[3], const rafter_heat_face high[3],
                                                      double* dt) RAFTER_NOEXCEPT;
RAFTER_API rafter_status rafter_conduction_largest_dt_of_diffusivities(const rafter_heat_problem* problem,
                                                                       const int64_t shape[3],
                                                                       const rafter_heat_face low[3],
                                                                       const rafter_heat_face high[3],
                                                                       double* dt) RAFTER_NOEXCEPT;
RAFTER_API void rafter_heat_solver_destroy(rafter_heat_solver* solver) RAFTER_NOEXCEPT;

/* Set the field as the state after `n_steps` steps, and, of a conduction solver, the diffusivity of every cell (0 to
 * alpha), the source per volume and time, and the heat capacity per volume, which is above 0. With capacities alpha is
 * the greatest conductivity divided by the least capacity, set_diffusivity() takes conductivities, and sources, fluxes
 * and totals are heat; set_capacity() precedes set_diffusivity(). conduction.hpp has the details. `host` is a
 * contiguous CPU tensor of the solver's type and shape. */
RAFTER_API rafter_status rafter_heat_solver_set_field(rafter_heat_solver* solver, const rafter_tensor* host,
                                                      int64_t n_steps) RAFTER_NOEXCEPT;
RAFTER_API rafter_status rafter_heat_solver_set_diffusivity(rafter_heat_solver* solver,
                                                            const rafter_tensor* host) RAFTER_NOEXCEPT;
RAFTER_API rafter_status rafter_heat_solver_set_source(rafter_heat_solver* solver,
                                                       const rafter_tensor* host) RAFTER_NOEXCEPT;
RAFTER_API rafter_status rafter_heat_solver_set_capacity(rafter_heat_solver* solver,
                                                         const rafter_tensor* host) RAFTER_NOEXCEPT;

/* A quantity that changes with time. */
typedef struct rafter_heat_function {
  size_t struct_size;
  void* context;
  /* Writes `n` values at a time, float or double as the solver's field and in its order: the same whenever it is called
   * with the same time. Called by the thread that advances the solver. Returns another status than RAFTER_OK to end
   * the call with RAFTER_INTERNAL; the field is then undefined. */
  rafter_status (*values)(void* context, double time, void* values, int64_t n);
  /* Called once, when the library makes no further calls; may be null. Not called if the function was refused. */
  void (*release)(void* context);
} rafter_heat_function;

/* Set the source of a conduction solver, and the amounts of the cells of a face: `axis` is 0 to 2 for z, y and x, and
 * the face is that at the high end unless `at_high_end` is 0. It has a value, a flux or an exchange. */
RAFTER_API rafter_status rafter_heat_solver_set_source_function(rafter_heat_solver* solver,
                                                                const rafter_heat_function* source) RAFTER_NOEXCEPT;
RAFTER_API rafter_status rafter_heat_solver_set_face_function(rafter_heat_solver* solver, int32_t axis,
                                                              int32_t at_high_end,
                                                              const rafter_heat_function* amounts) RAFTER_NOEXCEPT;

/* Enqueues `n_steps` steps. */
RAFTER_API rafter_status rafter_heat_solver_advance(rafter_heat_solver* solver, int64_t n_steps) RAFTER_NOEXCEPT;

/* Copies the field to `host`, as in rafter_heat_solver_set_field(), and waits for the copy. */
RAFTER_API rafter_status rafter_heat_solver_field(const rafter_heat_solver* solver,
                                                  const rafter_tensor* host) RAFTER_NOEXCEPT;

/* An output: the caller sets struct_size; the library writes the fields that fit and lowers struct_size to their end.
 */
typedef struct rafter_heat_state {
  size_t struct_size;
  int64_t n_steps;
  double time;
  double total; /* the sum over all cells times the volume of a cell */
  double min, max;
} rafter_heat_state;

/* Waits for the field and summarises it. */
RAFTER_API rafter_status rafter_heat_solver_state(const rafter_heat_solver* solver,
                                                  rafter_heat_state* state) RAFTER_NOEXCEPT;

/* ---- Models ----
 * A model is created from a file or from a file's bytes in host memory, which messages call `name`. */

/* SpectralShapeAutoencoder: reconstructs windows of mel spectra; the error indicates anomalies. */
typedef struct rafter_spectral rafter_spectral;
enum { RAFTER_SPECTRAL_FP32 = 0, RAFTER_SPECTRAL_TF32 = 1, RAFTER_SPECTRAL_BF16 = 2 };

RAFTER_API rafter_status rafter_spectral_load(const rafter_stream* stream, const char* path, int32_t precision,
                                              rafter_spectral** model) RAFTER_NOEXCEPT;
RAFTER_API rafter_status rafter_spectral_parse(const rafter_stream* stream, const void* file, int64_t bytes,
                                               const char* name, int32_t precision,
                                               rafter_spectral** model) RAFTER_NOEXCEPT;
RAFTER_API void rafter_spectral_destroy(rafter_spectral* model) RAFTER_NOEXCEPT;

/* An output, as rafter_heat_state. */
typedef struct rafter_spectral_shape {
  size_t struct_size;
  int64_t mels, frames, latent, slice;
} rafter_spectral_shape;
RAFTER_API rafter_status rafter_spectral_get_shape(const rafter_spectral* model,
                                                   rafter_spectral_shape* shape) RAFTER_NOEXCEPT;

/* Writes the reconstruction `y` of `x`, both float32 [n, frames, mels]. */
RAFTER_API rafter_status rafter_spectral_forward(const rafter_stream* stream, const rafter_spectral* model,
                                                 const rafter_tensor* x, const rafter_tensor* y) RAFTER_NOEXCEPT;
/* Writes the mean squared error of each window's reconstruction to `scores`, float32 [n]. */
RAFTER_API rafter_status rafter_spectral_score(const rafter_stream* stream, const rafter_spectral* model,
                                               const rafter_tensor* x, const rafter_tensor* scores) RAFTER_NOEXCEPT;

/* ---- Force fields ---- Positions are in Angstrom, energies in eV. */

typedef struct rafter_forcefield rafter_forcefield;
enum { RAFTER_FILTERS_AUTOMATIC = 0, RAFTER_FILTERS_EXACT = 1, RAFTER_FILTERS_TABULATED = 2 };

RAFTER_API rafter_status rafter_forcefield_load(const rafter_stream* stream, const char* path, int32_t filters,
                                                rafter_forcefield** model) RAFTER_NOEXCEPT;
RAFTER_API rafter_status rafter_forcefield_parse(const rafter_stream* stream, const void* file, int64_t bytes,
                                                 const char* name, int32_t filters,
                                                 rafter_forcefield** model) RAFTER_NOEXCEPT;
RAFTER_API void rafter_forcefield_destroy(rafter_forcefield* model) RAFTER_NOEXCEPT;

/* An output, as rafter_heat_state. */
typedef struct rafter_forcefield_properties {
  size_t struct_size;
  int64_t n_parameters;
  int64_t n_elements; /* atomic numbers must be below this */
  double cutoff;
  double table_error; /* largest relative error of tabulated filters; 0: no table */
  int32_t is_rotation_equivariant;
  int32_t is_continuous_at_cutoff;
  int32_t filters; /* RAFTER_FILTERS_EXACT or RAFTER_FILTERS_TABULATED */
  int32_t n_warnings;
} rafter_forcefield_properties;
RAFTER_API rafter_status rafter_forcefield_get_properties(const rafter_forcefield* model,
                                                          rafter_forcefield_properties* properties) RAFTER_NOEXCEPT;
/* Returns what a user of the model should know, 0 <= i < n_warnings; null for other i. The model owns the string. */
RAFTER_API const char* rafter_forcefield_warning(const rafter_forcefield* model, int32_t i) RAFTER_NOEXCEPT;

/* A unit cell that repeats along some of its vectors; the other vectors are ignored. */
typedef struct rafter_unit_cell {
  double vectors[3][3];
  int32_t is_periodic[3];
  int32_t reserved; /* 0 */
} rafter_unit_cell;

/* A batch of molecules with their atoms concatenated: what does not change while the atoms move. */
typedef struct rafter_molecules rafter_molecules;

/* Copies from host memory: sizes[n_molecules], the atoms of each molecule; elements[n_atoms], atomic numbers; and
 * cells[n_molecules] or null. Waits for the copies. */
RAFTER_API rafter_status rafter_molecules_create(const rafter_stream* stream, int64_t n_molecules, const int64_t* sizes,
                                                 int64_t n_atoms, const int32_t* elements,
                                                 const rafter_unit_cell* cells,
                                                 rafter_molecules** molecules) RAFTER_NOEXCEPT;
RAFTER_API void rafter_molecules_destroy(rafter_molecules* molecules) RAFTER_NOEXCEPT;

/* Computes energies, float64 [molecules], forces, [atoms, 3], and virials, float64 [molecules, 3, 3], from `positions`,
 * [atoms, 3]. Positions and forces are float32, or float64 for reference. Forces and virials may be null and are then
 * not computed. Some calls wait and cannot be captured (see forcefield.hpp). */
RAFTER_API rafter_status rafter_forcefield_compute(const rafter_stream* stream, const rafter_forcefield* model,
                                                   const rafter_molecules* molecules, const rafter_tensor* positions,
                                                   const rafter_tensor* energies, const rafter_tensor* forces,
                                                   const rafter_tensor* virials) RAFTER_NOEXCEPT;

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* RAFTER_RAFTER_H */
