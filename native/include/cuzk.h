/* SPDX-License-Identifier: Apache-2.0
 *
 * cuzk.h: the whole interface of the two proving libraries, libcuzk-cpu and libcuzk-cuda.
 *
 * Both export the same functions; a process may load both. The rules:
 *
 *  - A device handle is opened for one device and names it in every call. There is no current device, no
 *    default device, no environment variable, and no state shared between handles.
 *  - No exception, abort or exit crosses this boundary. Every function that can fail returns a cuzk_status and,
 *    if `error` is not NULL, fills it in on failure.
 *  - After CUZK_DEVICE_LOST the handle answers CUZK_DEVICE_LOST to everything but cuzk_device_close.
 *  - A handle is used by one thread at a time, except that cuzk_proofs_cancel, cuzk_pinned_allocate, cuzk_pinned_free
 *    and cuzk_device_limit_threads may come from any thread at any time: synthesis takes buffers while a proof runs.
 *  - CUZK_INVALID_ARGUMENT, CUZK_DEVICE_LOST, CUZK_INTERNAL and the three kinds of memory that ran out may come from
 *    any function; comments name the other statuses.
 *  - Lengths and offsets are in bytes, times in milliseconds.
 *  - The caller checks lengths first and with better words; the library checks them again cheaply.
 *
 * Encodings, unless a function says otherwise:
 *
 *  - "scalar": an integer in [0, r), 32 bytes, little-endian (canonical, not Montgomery).
 *  - "base-field element": 32 bytes (BN254) or 48 bytes (BLS12-381).
 *  - "point": affine x then y; in G2 each coordinate is c0 then c1 (x = c0 + c1*u). Infinity is all zero bytes.
 *    So a point has 64 / 96 bytes in G1 and 128 / 192 bytes in G2 (BN254 / BLS12-381).
 *  - Montgomery form means times R = 2^256 (32-byte fields) or 2^384 (48-byte fields), modulo the prime.
 */
#ifndef CUZK_H
#define CUZK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Raised by one at every change that an older caller would misread. */
#define CUZK_ABI_VERSION 3u

#if defined(CUZK_BUILDING_LIBRARY)
#define CUZK_API __attribute__((visibility("default")))
#else
#define CUZK_API
#endif

/* ---- statuses and errors --------------------------------------------------------------------------------- */

typedef int32_t cuzk_status;
enum {
  CUZK_OK = 0,
  CUZK_INVALID_ARGUMENT = 1,     /* a length, range, enum or handle that the caller should have refused */
  CUZK_OUT_OF_HOST_MEMORY = 2,   /* ordinary memory */
  CUZK_OUT_OF_PINNED_MEMORY = 3, /* page-locked memory */
  CUZK_OUT_OF_DEVICE_MEMORY = 4, /* the device's own memory; cuzk_error.detail = bytes asked for */
  CUZK_NO_DEVICE = 5,            /* no such device, or no driver */
  CUZK_UNSUPPORTED_DEVICE = 6,   /* driver or architecture too old, or instructions missing */
  CUZK_DEVICE_LOST = 7,          /* sticky: close the handle */
  CUZK_INVALID_POINT = 8,        /* not on the curve, or coordinate not in [0, p); detail = its index */
  CUZK_INVALID_SCALAR = 9,       /* not in [0, r); detail = its index */
  CUZK_INDEX_OUT_OF_RANGE = 10,  /* a row or column of a matrix entry; detail = index of the entry */
  CUZK_INCOMPLETE = 11,          /* a key or matrix was finished before all of it was appended */
  CUZK_CANCELLED = 12,           /* cuzk_proofs_cancel came first */
  CUZK_INTERNAL = 13,            /* a bug in the library; text says where */
  CUZK_INPUT_CHANGED = 14 /* a key's file cannot be read, is shorter than it was or was written to; detail = offset */
};

typedef struct cuzk_error {
  cuzk_status status;
  int32_t device; /* ordinal the handle was opened for; -1: the CPU, or no device yet */
  int32_t code;   /* CUDA's own error code, or errno, or 0 */
  int32_t reserved;
  uint64_t detail; /* see the status */
  char text[232];  /* UTF-8, zero-terminated, one line */
} cuzk_error;

/* ---- enums ----------------------------------------------------------------------------------------------- */

typedef int32_t cuzk_curve;
enum { CUZK_BN254 = 0, CUZK_BLS12_381 = 1 };

typedef int32_t cuzk_group;
enum { CUZK_G1 = 0, CUZK_G2 = 1 };

/* The five queries of a Groth16 proving key (Groth 2016, section 3.2; names as in bellman):
 * A = [u_i(x)]1, B1 = [v_i(x)]1, B2 = [v_i(x)]2, L = [(beta u_i + alpha v_i + w_i)/delta]1 of private variables,
 * H = the quotient's basis. */
typedef int32_t cuzk_query;
enum { CUZK_QUERY_A = 0, CUZK_QUERY_B1 = 1, CUZK_QUERY_B2 = 2, CUZK_QUERY_L = 3, CUZK_QUERY_H = 4 };
#define CUZK_QUERIES 5

/* How the key's H query represents the quotient, and with which roots of unity. */
typedef int32_t cuzk_quotient;
enum {
  /* snarkjs: H_j = [L_{2j+1}(x)/delta]1 for the Lagrange basis of the domain of size 2n; the scalars are the values
   * of a*b - c on the odd coset. Root of unity: the smallest non-residue raised to (r-1)/2^s, as iden3's ffjavascript.
   */
  CUZK_QUOTIENT_ODD_COSET = 0,
  /* bellman: H_j = [x^j (x^n - 1)/delta]1; the scalars are h's coefficients; coset generator 7. (BLS12-381.) */
  CUZK_QUOTIENT_MONOMIAL = 1
};

typedef int32_t cuzk_point_encoding;
enum {
  CUZK_POINTS_MONTGOMERY_LE = 0,  /* .zkey: coordinates in Montgomery form, little-endian */
  CUZK_POINTS_UNCOMPRESSED_BE = 1 /* bellman .params: canonical, big-endian, c1 before c0, flag bits in byte 0 */
};

typedef int32_t cuzk_scalar_encoding;
enum {
  CUZK_SCALARS_CANONICAL_LE = 0,
  CUZK_SCALARS_MONTGOMERY_SQUARED_LE = 1 /* .zkey section 4: value times R^2 mod r */
};

/* Stages of a proof, under the names that reports, NVTX ranges and timelines use (cuzk_stage_name). */
typedef int32_t cuzk_stage;
enum {
  CUZK_STAGE_UPLOAD = 0,
  CUZK_STAGE_SPARSE_PRODUCT = 1,
  CUZK_STAGE_NTT = 2,
  CUZK_STAGE_DIGITS = 3, /* the digit decomposition and sort that A, B1, B2 and L share */
  CUZK_STAGE_MSM_A = 4,
  CUZK_STAGE_MSM_B1 = 5,
  CUZK_STAGE_MSM_B2 = 6,
  CUZK_STAGE_MSM_L = 7,
  CUZK_STAGE_MSM_H = 8,
  CUZK_STAGE_DOWNLOAD = 9,
  CUZK_STAGE_FINISH = 10 /* the last few additions that make A, B, C of the five sums */
};
#define CUZK_STAGES 11

/* ---- the library ----------------------------------------------------------------------------------------- */

CUZK_API uint32_t cuzk_abi_version(void);
/* Version, commit if known, compiler and enabled arithmetic or architectures; one line; never NULL. */
CUZK_API const char *cuzk_build_id(void);
CUZK_API const char *cuzk_status_name(cuzk_status status); /* "CUZK_OK" ...; unknown: "CUZK_UNKNOWN" */
CUZK_API const char *cuzk_stage_name(cuzk_stage stage);    /* "upload", "sparse_product", "msm_b2" ... */

/* ---- devices --------------------------------------------------------------------------------------------- */

typedef struct cuzk_device cuzk_device;

typedef struct cuzk_device_options {
  int32_t ordinal;        /* CUDA ordinal; ignored by the CPU library */
  int32_t threads;        /* CPU threads, 0 = as many as the affinity mask allows */
  uint64_t memory_limit;  /* bytes of device (CPU library: host) memory to stay below; 0 = no limit */
  const char *arithmetic; /* CPU library: "auto" (or NULL), "portable", "adx", "ifma" */
} cuzk_device_options;

typedef struct cuzk_device_properties {
  char name[128];
  char uuid[48];                        /* "GPU-..." or "" */
  char pci[32];                         /* "00000000:01:00.0" or "" */
  char arithmetic[16];                  /* what the CPU library chose; "cuda" in the CUDA library */
  int32_t compute_major, compute_minor; /* 0, 0 for the CPU */
  int32_t multiprocessors;              /* GPUs; CPU: threads in use */
  int32_t reserved;
  uint64_t memory_total, memory_free; /* of the device (CPU: of the host), memory_limit counted */
} cuzk_device_properties;

/* CUZK_NO_DEVICE, CUZK_UNSUPPORTED_DEVICE: nothing of that ordinal, or nothing that this build can use. */
CUZK_API cuzk_status cuzk_device_open(const cuzk_device_options *options, cuzk_device **device, cuzk_error *error);
/* How many of the device's CPU threads may work in a call or job from now on: 1 .. threads; others leave between two
 * tasks. What the options said is where it starts. */
CUZK_API void cuzk_device_limit_threads(cuzk_device *device, int32_t threads);
/* What the device is, and how much of its memory is free at this moment. */
CUZK_API cuzk_status cuzk_device_describe(cuzk_device *device, cuzk_device_properties *properties, cuzk_error *error);
/* Ends the device's threads or context. Keys, jobs and pinned memory of it must be gone before. */
CUZK_API void cuzk_device_close(cuzk_device *device);

/* Host memory that the device can read at full rate (page-locked; plain 64-byte aligned pages for the CPU). Zeroed. */
CUZK_API cuzk_status cuzk_pinned_allocate(cuzk_device *device, uint64_t bytes, void **memory, cuzk_error *error);
CUZK_API void cuzk_pinned_free(cuzk_device *device, void *memory, uint64_t bytes);

/* ---- sizes and plans ------------------------------------------------------------------------------------- */

typedef struct cuzk_shape {
  cuzk_curve curve;
  cuzk_quotient quotient;
  uint32_t domain_log2;          /* n = 2^domain_log2 rows */
  uint32_t public_inputs;        /* ONE not counted */
  uint64_t variables;            /* ONE counted: the witness has this many scalars */
  uint64_t entries;              /* non-zero matrix entries of A and B together (and C where it is given) */
  uint64_t counts[CUZK_QUERIES]; /* points in each query */
} cuzk_shape;

/* Whose formulas a plan is computed by: either library knows both, so that no GPU is needed to plan for one. */
typedef int32_t cuzk_backend;
enum { CUZK_BACKEND_OWN = 0, CUZK_BACKEND_CPU = 1, CUZK_BACKEND_CUDA = 2 };

/* The CPU library's keys are resident and its proofs one after the other; its plans differ in table_levels alone: the
 * most multiples of each point that a key keeps, made by cuzk_key_finish at the cost of some dozens of proofs. Each
 * proof is the faster for it (docs/TUNING.md); a key takes up to 1 + table_levels times its points' memory. */
typedef struct cuzk_plan {
  cuzk_backend backend; /* for cuzk_plan_needs and cuzk_plan_choose; a key is made for its own device */
  int32_t resident_key; /* 1: the key stays in device memory; 0: it is streamed there for every job */
  int32_t batch;        /* proofs that share one pass over a streamed key, or run side by side under a resident one */
  int32_t
      table_levels;    /* at most so many precomputed multiples a point, 0 = none; GPUs: resident keys without chunks */
  int32_t window_bits; /* 0 = chosen by the library */
  int32_t chunk_log2;  /* MSMs take at most 2^chunk_log2 points at a time; 0 = all (not with a streamed key) */
} cuzk_plan;

typedef struct cuzk_needs {
  uint64_t key_bytes;    /* device memory (CPU: host memory) the key and matrices keep */
  uint64_t proof_bytes;  /* device memory (CPU: host memory) that proofs in flight take beyond that, `batch` together */
  uint64_t pinned_bytes; /* the witness buffer of one proof */
  /* ordinary host memory of the key while it is loaded and, streamed, as long as it stays; points that are appended to
   * a streamed key from memory, not from a file, come on top of it */
  uint64_t host_bytes;
} cuzk_needs;

/* Computes, allocates nothing, needs no device. plan = NULL: a resident key, all points at once. */
CUZK_API cuzk_status cuzk_plan_needs(const cuzk_shape *shape, const cuzk_plan *plan, cuzk_needs *needs,
                                     cuzk_error *error);
/* The fastest plan whose key_bytes + proof_bytes fit into `memory` bytes. `plan` says what is wished for: its backend
 * is kept, its batch and table_levels are the most there may be, its other members are not read. Where not even the
 * smallest plan fits: CUZK_OUT_OF_DEVICE_MEMORY (CPU: CUZK_OUT_OF_HOST_MEMORY), detail = the bytes that one takes, and
 * plan and needs are the smallest plan's. */
CUZK_API cuzk_status cuzk_plan_choose(const cuzk_shape *shape, uint64_t memory, cuzk_plan *plan, cuzk_needs *needs,
                                      cuzk_error *error);

/* ---- proving keys ---------------------------------------------------------------------------------------- */

typedef struct cuzk_key cuzk_key;

/* Begins a key of that shape: points and entries are appended, then cuzk_key_finish makes it usable. All its points
 * have one `encoding`. single_points: alpha1, beta1, delta1 (G1), beta2, delta2 (G2), back to back in this order;
 * checked as in cuzk_key_append (CUZK_INVALID_POINT, detail = position among the five). */
CUZK_API cuzk_status cuzk_key_create(cuzk_device *device, const cuzk_shape *shape, const cuzk_plan *plan,
                                     cuzk_point_encoding encoding, const void *single_points, uint64_t single_bytes,
                                     cuzk_key **key, cuzk_error *error);
/* Appends points first .. first+count-1 of a query; pieces come in order, without gaps. Every point is checked:
 * coordinates in [0, p) and on the curve (CUZK_INVALID_POINT, detail = index in the query). The bytes are not
 * needed after the call. */
CUZK_API cuzk_status cuzk_key_append(cuzk_key *key, cuzk_query query, uint64_t first, uint64_t count,
                                     const void *points, uint64_t bytes, cuzk_error *error);
/* The same points as they lie back to back in a file, from `offset` on. The library reads the file itself, with all
 * threads; for a streamed key it reads it again for every job, so the file must stay as it is until the key is
 * destroyed (CUZK_INPUT_CHANGED: it did not). */
CUZK_API cuzk_status cuzk_key_append_file(cuzk_key *key, cuzk_query query, uint64_t first, uint64_t count,
                                          const char *path, uint64_t offset, cuzk_error *error);
/* The same for points scalars[i] * generator of the query's group, for test keys: they are made where the key keeps
 * them. The key's encoding must be CUZK_POINTS_MONTGOMERY_LE. */
CUZK_API cuzk_status cuzk_key_append_multiples(cuzk_key *key, cuzk_query query, uint64_t first, uint64_t count,
                                               const void *scalars, cuzk_error *error);
/* One entry of a constraint matrix, as .zkey section 4 stores it (44 bytes, no padding). */
typedef struct cuzk_entry {
  uint32_t matrix; /* 0 = A, 1 = B, 2 = C */
  uint32_t row;    /* < n */
  uint32_t column; /* < variables */
  uint8_t value[32];
} cuzk_entry;
/* Appends entries of the constraint matrices in any order (CUZK_INDEX_OUT_OF_RANGE, CUZK_INVALID_SCALAR). Where
 * no C entries come, (C w) is taken as (A w)(B w) row by row, as snarkjs does. A call that fails takes none. */
CUZK_API cuzk_status cuzk_key_append_entries(cuzk_key *key, cuzk_scalar_encoding encoding, uint64_t count,
                                             const cuzk_entry *entries, cuzk_error *error);
/* All entries of A and B at once, in the stead of cuzk_key_append_entries: a circuit as gadgets at places, as
 * docs/FORMATS.md has it under "Compact matrices", from the modulus on. The device's threads expand it; the rows
 * input * 0 = 0 of ONE and each public input, which every key has, are added after the circuit's own. (C w) is taken as
 * (A w)(B w). Not that form, or another circuit's: CUZK_INVALID_ARGUMENT. shape.entries counts the expanded terms of A
 * and B and those rows. The bytes are not needed after the call. */
CUZK_API cuzk_status cuzk_key_append_matrices(cuzk_key *key, const void *matrices, uint64_t bytes, cuzk_error *error);
/* All pieces are there: builds what proofs need. CUZK_INCOMPLETE if something is missing. */
CUZK_API cuzk_status cuzk_key_finish(cuzk_key *key, cuzk_error *error);
CUZK_API void cuzk_key_destroy(cuzk_key *key);

/* ---- proofs ---------------------------------------------------------------------------------------------- */

typedef struct cuzk_job cuzk_job;

/* How a witness lies in memory. Packed, for those that are mostly zeros and ones: uint64 variables, uint64 count, then
 * with n = ceil(variables / 64): uint64 ones[n] (bit i % 64 of word i / 64: value i is 1), uint64 others[n] (value i is
 * neither 0 nor 1), uint32 firsts[n] (others in the words before), zeros up to a multiple of 16 bytes, and the `count`
 * other values as scalars in their order. At most half as long as the plain form; aligned to 16 bytes. */
typedef int32_t cuzk_witness_form;
enum { CUZK_WITNESS_SCALARS = 0, CUZK_WITNESS_PACKED = 1 };

typedef struct cuzk_proof_request {
  const void *witness;    /* shape.variables scalars; witness[0] must be 1; stays valid until wait returns */
  uint8_t r[32], s[32];   /* the blinding scalars, below the group's order */
  cuzk_witness_form form; /* page-locked memory uploads fastest; any other goes through a page-locked ring */
  int32_t reserved;
} cuzk_proof_request;

/* Packs a witness with the device's threads. bytes = what `packed` then holds, or 0 where that is more than `capacity`
 * or than half of the plain form: such a witness stays as it is. */
CUZK_API cuzk_status cuzk_witness_pack(cuzk_device *device, const void *scalars, uint64_t variables, void *packed,
                                       uint64_t capacity, uint64_t *bytes, cuzk_error *error);

/* A, B, C: affine, canonical (not Montgomery), little-endian; A and C take the first 64 or 96 bytes, B the first 128
 * or 192 bytes of their fields. */
typedef struct cuzk_proof {
  uint8_t a[96], b[192], c[96];
} cuzk_proof;

typedef struct cuzk_timings {
  double start_ms[CUZK_STAGES]; /* since submit; device event times on a GPU */
  double ms[CUZK_STAGES];       /* 0: the stage did not run */
  double total_ms;
  uint64_t uploaded_bytes;
  uint64_t peak_bytes; /* device memory in use at the worst moment of this job */
} cuzk_timings;

/* Starts `count` proofs of one key as one job. The requests array is copied; the witnesses are not. CUZK_INCOMPLETE:
 * the key is not finished. CUZK_INVALID_SCALAR (from wait) names a witness value that is not canonical, or that
 * witness[0] is not 1 (detail 0). */
CUZK_API cuzk_status cuzk_proofs_submit(cuzk_device *device, cuzk_key *key, const cuzk_proof_request *requests,
                                        uint32_t count, cuzk_job **job, cuzk_error *error);
/* Waits, stores `count` proofs and, if not NULL, the job's timings. The job stays, so that a cancel from another
 * thread never meets freed memory; cuzk_job_destroy frees it. */
CUZK_API cuzk_status cuzk_proofs_wait(cuzk_job *job, cuzk_proof *proofs, cuzk_timings *timings, cuzk_error *error);
/* Asks a job to stop at the next kernel boundary or chunk; wait must still be called. Does nothing to a finished job.
 */
CUZK_API void cuzk_proofs_cancel(cuzk_job *job);
/* Frees a job that has been waited for (one that has not is cancelled and waited for first). NULL is allowed. */
CUZK_API void cuzk_job_destroy(cuzk_job *job);

/* ---- primitives: for setup, benchmarks and tests --------------------------------------------------------- */

/* result = sum scalars[i] * points[i]; points in `encoding`, checked as in cuzk_key_append; result affine canonical
 * little-endian. count may be 0 (infinity). timings may be NULL; total_ms leaves uploads out. */
CUZK_API cuzk_status cuzk_msm(cuzk_device *device, cuzk_curve curve, cuzk_group group, cuzk_point_encoding encoding,
                              const void *points, const void *scalars, uint64_t count, void *result,
                              cuzk_timings *timings, cuzk_error *error);
/* Copies bytes to the device and drops them: the rate at which witnesses (page-locked memory) and keys (any other,
 * through the ring) are uploaded. ms: of the whole copy. The CPU library has nothing to copy to
 * (CUZK_INVALID_ARGUMENT). */
CUZK_API cuzk_status cuzk_upload(cuzk_device *device, const void *memory, uint64_t bytes, double *ms,
                                 cuzk_error *error);
/* points[i] = scalars[i] * base, for many scalars and one base; `base` and `points` in CUZK_POINTS_MONTGOMERY_LE. */
CUZK_API cuzk_status cuzk_fixed_base(cuzk_device *device, cuzk_curve curve, cuzk_group group, const void *base,
                                     const void *scalars, uint64_t count, void *points, cuzk_error *error);
/* In place, natural order in and out: values[k] = sum_j values[j] (g w^k)^j, or its inverse. w = the root of unity of
 * order 2^log2_size that `quotient` implies; g = `coset_shift` (a scalar; NULL = 1). */
CUZK_API cuzk_status cuzk_ntt(cuzk_device *device, cuzk_curve curve, cuzk_quotient quotient, int32_t inverse,
                              uint32_t log2_size, const void *coset_shift, void *values, cuzk_timings *timings,
                              cuzk_error *error);
/* rows = M w for one matrix (0 = A, 1 = B, 2 = C) of a finished key: n scalars out, shape.variables scalars in. */
CUZK_API cuzk_status cuzk_sparse_product(cuzk_key *key, uint32_t matrix, const void *witness, void *rows,
                                         cuzk_error *error);

#ifdef __cplusplus
}
#endif
#endif /* CUZK_H */
