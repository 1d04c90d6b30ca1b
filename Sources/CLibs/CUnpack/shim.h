#ifndef NEWSD_CUNPACK_SHIM_H
#define NEWSD_CUNPACK_SHIM_H

// libcurl depends on zlib, brotli and zstd. Their functions are looked up on the first call. zlib's header is
// included; the functions of brotli and zstd are declared here, because their headers are in separate packages and
// their ABI is stable.

#define ZLIB_CONST
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

// Concurrent look-ups are harmless: both find the same symbol. NULL means that the library is missing.
static inline void *newsd_unpack_symbol(const char *file, const char *name) {
  void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  return library ? dlsym(library, name) : NULL;
}

#define NEWSD_UNPACK_FIND(file, name) \
  static void *symbol; \
  void *found = __atomic_load_n(&symbol, __ATOMIC_ACQUIRE); \
  if (!found) { \
    found = newsd_unpack_symbol(file, name); \
    __atomic_store_n(&symbol, found, __ATOMIC_RELEASE); \
  }

// MARK: zlib

static const int newsd_z_ok = Z_OK;
static const int newsd_z_stream_end = Z_STREAM_END;
static const int newsd_z_buffer_error = Z_BUF_ERROR;

// zlib refuses a structure of a different size and a version with a different first digit.
static inline int newsd_inflate_init(z_stream *stream, int window_bits) {
  NEWSD_UNPACK_FIND("libz.so.1", "inflateInit2_")
  if (!found) return Z_VERSION_ERROR;
  return ((__typeof__(&inflateInit2_))found)(stream, window_bits, ZLIB_VERSION, (int)sizeof(z_stream));
}

static inline int newsd_inflate(z_stream *stream) {
  NEWSD_UNPACK_FIND("libz.so.1", "inflate")
  return found ? ((__typeof__(&inflate))found)(stream, Z_NO_FLUSH) : Z_VERSION_ERROR;
}

static inline int newsd_inflate_reset(z_stream *stream) {
  NEWSD_UNPACK_FIND("libz.so.1", "inflateReset")
  return found ? ((__typeof__(&inflateReset))found)(stream) : Z_VERSION_ERROR;
}

static inline void newsd_inflate_end(z_stream *stream) {
  NEWSD_UNPACK_FIND("libz.so.1", "inflateEnd")
  if (found) ((__typeof__(&inflateEnd))found)(stream);
}

static inline int newsd_deflate_init(z_stream *stream, int level, int window_bits) {
  NEWSD_UNPACK_FIND("libz.so.1", "deflateInit2_")
  if (!found) return Z_VERSION_ERROR;
  return ((__typeof__(&deflateInit2_))found)(stream, level, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                                             (int)sizeof(z_stream));
}

static inline int newsd_deflate(z_stream *stream, int is_last) {
  NEWSD_UNPACK_FIND("libz.so.1", "deflate")
  return found ? ((__typeof__(&deflate))found)(stream, is_last ? Z_FINISH : Z_NO_FLUSH) : Z_VERSION_ERROR;
}

static inline void newsd_deflate_end(z_stream *stream) {
  NEWSD_UNPACK_FIND("libz.so.1", "deflateEnd")
  if (found) ((__typeof__(&deflateEnd))found)(stream);
}

// MARK: brotli

static inline void *newsd_brotli_create(void) {
  NEWSD_UNPACK_FIND("libbrotlidec.so.1", "BrotliDecoderCreateInstance")
  return found ? ((void *(*)(void *, void *, void *))found)(NULL, NULL, NULL) : NULL;
}

static const int newsd_brotli_error = 0;
static const int newsd_brotli_end = 1;

static inline int newsd_brotli_decompress(void *state, size_t *avail_in, const uint8_t **next_in,
                                          size_t *avail_out, uint8_t **next_out) {
  NEWSD_UNPACK_FIND("libbrotlidec.so.1", "BrotliDecoderDecompressStream")
  if (!found) return newsd_brotli_error;
  return ((int (*)(void *, size_t *, const uint8_t **, size_t *, uint8_t **, size_t *))found)(
      state, avail_in, next_in, avail_out, next_out, NULL);
}

static inline void newsd_brotli_destroy(void *state) {
  NEWSD_UNPACK_FIND("libbrotlidec.so.1", "BrotliDecoderDestroyInstance")
  if (found) ((void (*)(void *))found)(state);
}

// MARK: zstd

typedef struct {
  const void *bytes;
  size_t size;
  size_t position;
} newsd_zstd_input;

typedef struct {
  void *bytes;
  size_t size;
  size_t position;
} newsd_zstd_output;

// Limits the window to 8 MiB (RFC 9659): by default a frame can request much more.
static inline void *newsd_zstd_create(void) {
  NEWSD_UNPACK_FIND("libzstd.so.1", "ZSTD_createDStream")
  void *parameter = newsd_unpack_symbol("libzstd.so.1", "ZSTD_DCtx_setParameter");
  void *stream = found && parameter ? ((void *(*)(void))found)() : NULL;
  if (stream) ((size_t (*)(void *, int, int))parameter)(stream, 100, 23);
  return stream;
}

// Decompresses a part of a frame. Returns 0 at the end of the frame.
static inline size_t newsd_zstd_decompress(void *stream, newsd_zstd_output *output, newsd_zstd_input *input) {
  NEWSD_UNPACK_FIND("libzstd.so.1", "ZSTD_decompressStream")
  return found ? ((size_t (*)(void *, newsd_zstd_output *, newsd_zstd_input *))found)(stream, output, input)
               : (size_t)-1;
}

static inline int newsd_zstd_is_error(size_t result) {
  NEWSD_UNPACK_FIND("libzstd.so.1", "ZSTD_isError")
  return found ? (int)((unsigned int (*)(size_t))found)(result) : 1;
}

static inline void newsd_zstd_free(void *stream) {
  NEWSD_UNPACK_FIND("libzstd.so.1", "ZSTD_freeDStream")
  if (found) ((size_t (*)(void *))found)(stream);
}

#endif
