// cuBLAS and hipBLAS on the emulated GPU: plain loops of the host over matrices by columns. A header that includes this
// defines BLAS(name) and BLAS_UPPER(name) as the library's names.
#include "language.h"

typedef enum {
    BLAS_UPPER(STATUS_SUCCESS) = 0,
    BLAS_UPPER(STATUS_NOT_INITIALIZED) = 1,
    BLAS_UPPER(STATUS_ALLOC_FAILED) = 3,
    BLAS_UPPER(STATUS_INVALID_VALUE) = 7,
    BLAS_UPPER(STATUS_ARCH_MISMATCH) = 8,
    BLAS_UPPER(STATUS_MAPPING_ERROR) = 11,
    BLAS_UPPER(STATUS_EXECUTION_FAILED) = 13,
    BLAS_UPPER(STATUS_INTERNAL_ERROR) = 14,
    BLAS_UPPER(STATUS_NOT_SUPPORTED) = 15,
} BLAS(Status_t);
typedef enum { BLAS_UPPER(OP_N) = 111, BLAS_UPPER(OP_T) = 112, BLAS_UPPER(OP_C) = 113 } BLAS(Operation_t);
typedef enum { BLAS_UPPER(POINTER_MODE_HOST), BLAS_UPPER(POINTER_MODE_DEVICE) } BLAS(PointerMode_t);
namespace cudamigrate_emulation {
struct Blas {};
}  // namespace cudamigrate_emulation
typedef ::cudamigrate_emulation::Blas *BLAS(Handle_t);

inline BLAS(Status_t) BLAS(Create)(BLAS(Handle_t) *handle) {
    return *handle = new ::cudamigrate_emulation::Blas, BLAS_UPPER(STATUS_SUCCESS);
}
inline BLAS(Status_t) BLAS(Destroy)(BLAS(Handle_t) handle) { return delete handle, BLAS_UPPER(STATUS_SUCCESS); }
inline BLAS(Status_t) BLAS(GetVersion)(BLAS(Handle_t), int *version) { return *version = 12000, BLAS_UPPER(STATUS_SUCCESS); }
template <typename Stream> BLAS(Status_t) BLAS(SetStream)(BLAS(Handle_t), Stream) { return BLAS_UPPER(STATUS_SUCCESS); }
template <typename Mode> BLAS(Status_t) BLAS(SetPointerMode)(BLAS(Handle_t), Mode) { return BLAS_UPPER(STATUS_SUCCESS); }

namespace cudamigrate_emulation {

// Numbers of the emulation's and of the host's memory, with the steps between them in bytes or elements.
CUDAMIGRATE_EMULATION_UNSEEN inline BLAS(Status_t)
    blas_move(int rows, int columns, int size, const void *from, long from_step, void *to, long to_step) {
    if (rows < 0 || columns < 0 || size <= 0) return BLAS_UPPER(STATUS_INVALID_VALUE);
    const char *source = static_cast<const char *>(from);
    char *target = static_cast<char *>(to);
    for (int column = 0; column < columns; ++column) {
        const std::size_t bytes = static_cast<std::size_t>(rows) * static_cast<std::size_t>(size);
        std::memcpy(target + column * to_step * size, source + column * from_step * size, bytes);
    }
    if (is_device(from) && !is_device(to))
        record_copy(from, to, static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns * size), "");
    return BLAS_UPPER(STATUS_SUCCESS);
}

// An element of op(A), where A is stored by columns.
template <typename T>
CUDAMIGRATE_EMULATION_UNSEEN T blas_at(const T *matrix, int step, bool turned, int row, int column) {
    return turned ? matrix[static_cast<long>(row) * step + column] : matrix[static_cast<long>(column) * step + row];
}

template <typename T>
CUDAMIGRATE_EMULATION_UNSEEN void blas_gemm(bool turn_a, bool turn_b, int m, int n, int k, T alpha, const T *a, int lda,
                                            const T *b, int ldb, T beta, T *c, int ldc) {
    for (int column = 0; column < n; ++column) {
        for (int row = 0; row < m; ++row) {
            T sum = 0;
            for (int at = 0; at < k; ++at) sum += blas_at(a, lda, turn_a, row, at) * blas_at(b, ldb, turn_b, at, column);
            T &made = c[static_cast<long>(column) * ldc + row];
            made = beta == T(0) ? alpha * sum : alpha * sum + beta * made;  // what is there may be no number
        }
    }
}

}  // namespace cudamigrate_emulation

inline BLAS(Status_t) BLAS(SetVector)(int count, int size, const void *from, int from_step, void *to, int to_step) {
    return ::cudamigrate_emulation::blas_move(1, count, size, from, from_step, to, to_step);
}
inline BLAS(Status_t) BLAS(GetVector)(int count, int size, const void *from, int from_step, void *to, int to_step) {
    return ::cudamigrate_emulation::blas_move(1, count, size, from, from_step, to, to_step);
}
inline BLAS(Status_t)
    BLAS(SetMatrix)(int rows, int columns, int size, const void *from, int from_step, void *to, int to_step) {
    return ::cudamigrate_emulation::blas_move(rows, columns, size, from, from_step, to, to_step);
}
inline BLAS(Status_t)
    BLAS(GetMatrix)(int rows, int columns, int size, const void *from, int from_step, void *to, int to_step) {
    return ::cudamigrate_emulation::blas_move(rows, columns, size, from, from_step, to, to_step);
}

#define CUDAMIGRATE_EMULATION_EACH for (long at = 0; at < n; ++at)
// One function of the library: its parameters behind the handle, and what it does.
#define CUDAMIGRATE_EMULATION_BLAS(name, parameters, ...)                               \
    CUDAMIGRATE_EMULATION_UNSEEN inline BLAS(Status_t) BLAS(name) parameters {          \
        __VA_ARGS__                                                                     \
        return BLAS_UPPER(STATUS_SUCCESS);                                              \
    }
#define CUDAMIGRATE_EMULATION_BLAS_OF(P, T, I)                                                                        \
    CUDAMIGRATE_EMULATION_BLAS(P##axpy, (BLAS(Handle_t), int n, const T *alpha, const T *x, int dx, T *y, int dy),    \
                               CUDAMIGRATE_EMULATION_EACH y[at * dy] += *alpha * x[at * dx];)                         \
    CUDAMIGRATE_EMULATION_BLAS(P##scal, (BLAS(Handle_t), int n, const T *alpha, T *x, int dx),                        \
                               CUDAMIGRATE_EMULATION_EACH x[at * dx] *= *alpha;)                                      \
    CUDAMIGRATE_EMULATION_BLAS(P##copy, (BLAS(Handle_t), int n, const T *x, int dx, T *y, int dy),                    \
                               CUDAMIGRATE_EMULATION_EACH y[at * dy] = x[at * dx];)                                   \
    CUDAMIGRATE_EMULATION_BLAS(P##swap, (BLAS(Handle_t), int n, T *x, int dx, T *y, int dy),                          \
                               CUDAMIGRATE_EMULATION_EACH { const T old = x[at * dx]; x[at * dx] = y[at * dy]; y[at * dy] = old; })\
    CUDAMIGRATE_EMULATION_BLAS(P##dot, (BLAS(Handle_t), int n, const T *x, int dx, const T *y, int dy, T *result),    \
                               T sum = 0; CUDAMIGRATE_EMULATION_EACH sum += x[at * dx] * y[at * dy]; *result = sum;)  \
    CUDAMIGRATE_EMULATION_BLAS(P##nrm2, (BLAS(Handle_t), int n, const T *x, int dx, T *result),                       \
                               T sum = 0; CUDAMIGRATE_EMULATION_EACH sum += x[at * dx] * x[at * dx];                  \
                               *result = std::sqrt(sum);)                                                             \
    CUDAMIGRATE_EMULATION_BLAS(P##asum, (BLAS(Handle_t), int n, const T *x, int dx, T *result),                       \
                               T sum = 0; CUDAMIGRATE_EMULATION_EACH sum += std::fabs(x[at * dx]); *result = sum;)    \
    CUDAMIGRATE_EMULATION_BLAS(I##amax, (BLAS(Handle_t), int n, const T *x, int dx, int *result),                     \
                               long most = 0; CUDAMIGRATE_EMULATION_EACH if (std::fabs(x[at * dx]) >                  \
                               std::fabs(x[most * dx])) most = at; *result = n > 0 ? static_cast<int>(most) + 1 : 0;) \
    CUDAMIGRATE_EMULATION_BLAS(I##amin, (BLAS(Handle_t), int n, const T *x, int dx, int *result),                     \
                               long least = 0; CUDAMIGRATE_EMULATION_EACH if (std::fabs(x[at * dx]) <                 \
                               std::fabs(x[least * dx])) least = at;                                                  \
                               *result = n > 0 ? static_cast<int>(least) + 1 : 0;)                                    \
    CUDAMIGRATE_EMULATION_BLAS(P##gemv, (BLAS(Handle_t), BLAS(Operation_t) op, int m, int n, const T *alpha,          \
                               const T *a, int lda, const T *x, int dx, const T *beta, T *y, int dy),                 \
                               const bool turned = op != BLAS_UPPER(OP_N);                                            \
                               const int rows = turned ? n : m; const int columns = turned ? m : n;                   \
                               for (long row = 0; row < rows; ++row) {                                                \
                                   T sum = 0;                                                                         \
                                   for (long at = 0; at < columns; ++at)                                              \
                                       sum += ::cudamigrate_emulation::blas_at(a, lda, turned, static_cast<int>(row), \
                                                                               static_cast<int>(at)) * x[at * dx];    \
                                   y[row * dy] = *beta == T(0) ? *alpha * sum : *alpha * sum + *beta * y[row * dy];   \
                               })                                                                                     \
    CUDAMIGRATE_EMULATION_BLAS(P##ger, (BLAS(Handle_t), int m, int n, const T *alpha, const T *x, int dx,             \
                               const T *y, int dy, T *a, int lda),                                                    \
                               for (long column = 0; column < n; ++column)                                            \
                                   for (long row = 0; row < m; ++row)                                                 \
                                       a[column * lda + row] += *alpha * x[row * dx] * y[column * dy];)               \
    CUDAMIGRATE_EMULATION_BLAS(P##gemm, (BLAS(Handle_t), BLAS(Operation_t) op_a, BLAS(Operation_t) op_b, int m,       \
                               int n, int k, const T *alpha, const T *a, int lda, const T *b, int ldb, const T *beta, \
                               T *c, int ldc),                                                                        \
                               ::cudamigrate_emulation::blas_gemm(op_a != BLAS_UPPER(OP_N), op_b != BLAS_UPPER(OP_N), \
                                                                  m, n, k, *alpha, a, lda, b, ldb, *beta, c, ldc);)   \
    CUDAMIGRATE_EMULATION_BLAS(P##gemmStridedBatched, (BLAS(Handle_t), BLAS(Operation_t) op_a,                        \
                               BLAS(Operation_t) op_b, int m, int n, int k, const T *alpha, const T *a, int lda,      \
                               long long da, const T *b, int ldb, long long db, const T *beta, T *c, int ldc,         \
                               long long dc, int count),                                                              \
                               for (int at = 0; at < count; ++at)                                                     \
                                   ::cudamigrate_emulation::blas_gemm(op_a != BLAS_UPPER(OP_N),                       \
                                                                      op_b != BLAS_UPPER(OP_N), m, n, k, *alpha,      \
                                                                      a + at * da, lda, b + at * db, ldb, *beta,      \
                                                                      c + at * dc, ldc);)                             \
    CUDAMIGRATE_EMULATION_BLAS(P##gemmBatched, (BLAS(Handle_t), BLAS(Operation_t) op_a, BLAS(Operation_t) op_b,       \
                               int m, int n, int k, const T *alpha, const T *const a[], int lda, const T *const b[],  \
                               int ldb, const T *beta, T *const c[], int ldc, int count),                             \
                               for (int at = 0; at < count; ++at)                                                     \
                                   ::cudamigrate_emulation::blas_gemm(op_a != BLAS_UPPER(OP_N),                       \
                                                                      op_b != BLAS_UPPER(OP_N), m, n, k, *alpha,      \
                                                                      a[at], lda, b[at], ldb, *beta, c[at], ldc);)
CUDAMIGRATE_EMULATION_BLAS_OF(S, float, Is)
CUDAMIGRATE_EMULATION_BLAS_OF(D, double, Id)
#undef CUDAMIGRATE_EMULATION_BLAS_OF
#undef CUDAMIGRATE_EMULATION_BLAS
#undef CUDAMIGRATE_EMULATION_EACH
