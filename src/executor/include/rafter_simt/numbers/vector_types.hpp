// CUDA's vector types, for C++ and C, with its sizes and alignments, their make_ functions, and dim3. No operators:
// CUDA has none.
#pragma once

// Each defines a type and its make_ function. VECTORS defines NAME1 to NAME4 over TYPE; 2 and 4 have CUDA's alignment,
// which vector loads require. CUDA 13 names vectors of four 8-byte components by their alignment.
#ifdef __cplusplus
#define RAFTER_SIMT_VECTORS(NAME, TYPE, ALIGN2, ALIGN4)                          \
  struct NAME##1 {                                                               \
    TYPE x;                                                                      \
  };                                                                             \
  struct alignas(ALIGN2) NAME##2 {                                               \
    TYPE x, y;                                                                   \
  };                                                                             \
  struct NAME##3 {                                                               \
    TYPE x, y, z;                                                                \
  };                                                                             \
  struct alignas(ALIGN4) NAME##4 {                                               \
    TYPE x, y, z, w;                                                             \
  };                                                                             \
  constexpr NAME##1 make_##NAME##1(TYPE x) { return {x}; }                       \
  constexpr NAME##2 make_##NAME##2(TYPE x, TYPE y) { return {x, y}; }            \
  constexpr NAME##3 make_##NAME##3(TYPE x, TYPE y, TYPE z) { return {x, y, z}; } \
  constexpr NAME##4 make_##NAME##4(TYPE x, TYPE y, TYPE z, TYPE w) { return {x, y, z, w}; }
#define RAFTER_SIMT_ALIGNED_VECTOR(NAME, TYPE, ALIGN) \
  struct alignas(ALIGN) NAME {                        \
    TYPE x, y, z, w;                                  \
  };                                                  \
  constexpr NAME make_##NAME(TYPE x, TYPE y, TYPE z, TYPE w) { return {x, y, z, w}; }
#else
#define RAFTER_SIMT_C_VECTOR(NAME, ALIGN, FIELDS, PARAMETERS, ...) \
  typedef struct __attribute__((aligned(ALIGN))) NAME FIELDS NAME; \
  static inline NAME make_##NAME PARAMETERS {                      \
    NAME vector = {__VA_ARGS__};                                   \
    return vector;                                                 \
  }
#define RAFTER_SIMT_VECTORS(NAME, TYPE, ALIGN2, ALIGN4) \
  RAFTER_SIMT_C_VECTOR(                                 \
      NAME##1, sizeof(TYPE), { TYPE x; }, (TYPE x), x)  \
  RAFTER_SIMT_C_VECTOR(                                 \
      NAME##2, ALIGN2,                                  \
      {                                                 \
        TYPE x;                                         \
        TYPE y;                                         \
      },                                                \
      (TYPE x, TYPE y), x, y)                           \
  RAFTER_SIMT_C_VECTOR(                                 \
      NAME##3, sizeof(TYPE),                            \
      {                                                 \
        TYPE x;                                         \
        TYPE y;                                         \
        TYPE z;                                         \
      },                                                \
      (TYPE x, TYPE y, TYPE z), x, y, z)                \
  RAFTER_SIMT_ALIGNED_VECTOR(NAME##4, TYPE, ALIGN4)
#define RAFTER_SIMT_ALIGNED_VECTOR(NAME, TYPE, ALIGN) \
  RAFTER_SIMT_C_VECTOR(                               \
      NAME, ALIGN,                                    \
      {                                               \
        TYPE x;                                       \
        TYPE y;                                       \
        TYPE z;                                       \
        TYPE w;                                       \
      },                                              \
      (TYPE x, TYPE y, TYPE z, TYPE w), x, y, z, w)
#endif

RAFTER_SIMT_VECTORS(char, signed char, 2, 4)
RAFTER_SIMT_VECTORS(uchar, unsigned char, 2, 4)
RAFTER_SIMT_VECTORS(short, short, 4, 8)
RAFTER_SIMT_VECTORS(ushort, unsigned short, 4, 8)
RAFTER_SIMT_VECTORS(int, int, 8, 16)
RAFTER_SIMT_VECTORS(uint, unsigned int, 8, 16)
RAFTER_SIMT_VECTORS(long, long, 16, 16)
RAFTER_SIMT_VECTORS(ulong, unsigned long, 16, 16)
RAFTER_SIMT_VECTORS(longlong, long long, 16, 16)
RAFTER_SIMT_VECTORS(ulonglong, unsigned long long, 16, 16)
RAFTER_SIMT_VECTORS(float, float, 8, 16)
RAFTER_SIMT_VECTORS(double, double, 16, 16)
RAFTER_SIMT_ALIGNED_VECTOR(long4_16a, long, 16)
RAFTER_SIMT_ALIGNED_VECTOR(long4_32a, long, 32)
RAFTER_SIMT_ALIGNED_VECTOR(ulong4_16a, unsigned long, 16)
RAFTER_SIMT_ALIGNED_VECTOR(ulong4_32a, unsigned long, 32)
RAFTER_SIMT_ALIGNED_VECTOR(longlong4_16a, long long, 16)
RAFTER_SIMT_ALIGNED_VECTOR(longlong4_32a, long long, 32)
RAFTER_SIMT_ALIGNED_VECTOR(ulonglong4_16a, unsigned long long, 16)
RAFTER_SIMT_ALIGNED_VECTOR(ulonglong4_32a, unsigned long long, 32)
RAFTER_SIMT_ALIGNED_VECTOR(double4_16a, double, 16)
RAFTER_SIMT_ALIGNED_VECTOR(double4_32a, double, 32)
#undef RAFTER_SIMT_VECTORS
#undef RAFTER_SIMT_ALIGNED_VECTOR
#undef RAFTER_SIMT_C_VECTOR

#ifdef __cplusplus
struct dim3 {
  unsigned int x, y, z;

  constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1) : x(x_), y(y_), z(z_) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};
#else
typedef struct dim3 {
  unsigned int x, y, z;
} dim3;
#endif
