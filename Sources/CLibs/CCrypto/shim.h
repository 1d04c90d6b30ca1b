#ifndef NEWSD_CCRYPTO_SHIM_H
#define NEWSD_CCRYPTO_SHIM_H

// libcrypto is loaded when the first hash is computed. Its functions are declared here, because the header is in a
// package of its own; their ABI is that of libcrypto.so.3.

#include <stddef.h>

#include "../late.h"

typedef struct newsd_digest newsd_digest;

const newsd_digest *newsd_declared_EVP_get_digestbyname(const char *name);
int newsd_declared_EVP_Digest(const void *bytes, size_t count, unsigned char *digest, unsigned *length,
                              const newsd_digest *method, void *engine);
unsigned char *newsd_declared_HMAC(const newsd_digest *method, const void *key, int key_length,
                                   const unsigned char *bytes, size_t count, unsigned char *digest, unsigned *length);
unsigned char *newsd_declared_MD5(const unsigned char *bytes, size_t count, unsigned char *digest);

NEWSD_LATE_LIBRARY(newsd_crypto_symbol, "libcrypto.so.3", "cannot compute hashes")

#define NEWSD_CRYPTO_CALL(name, arguments) \
  NEWSD_LATE_CALL(newsd_crypto_symbol, newsd_declared_##name, #name, arguments)

// Returns NULL for an unknown name.
static inline const newsd_digest *newsd_digest_named(const char *name) {
  NEWSD_CRYPTO_CALL(EVP_get_digestbyname, (name));
}

// Writes at most 64 bytes to `digest`, sets `length`, and returns 1 on success.
static inline int newsd_hash(const newsd_digest *method, const void *bytes, size_t count, unsigned char *digest,
                             unsigned *length) {
  NEWSD_CRYPTO_CALL(EVP_Digest, (bytes, count, digest, length, method, NULL));
}

// Like `newsd_hash`, but returns NULL on failure.
static inline unsigned char *newsd_hmac(const newsd_digest *method, const void *key, int key_length,
                                        const unsigned char *bytes, size_t count, unsigned char *digest,
                                        unsigned *length) {
  NEWSD_CRYPTO_CALL(HMAC, (method, key, key_length, bytes, count, digest, length));
}

// Writes 16 bytes to `digest`. This function works in FIPS mode too, unlike MD5 through EVP_Digest.
static inline unsigned char *newsd_md5(const unsigned char *bytes, size_t count, unsigned char *digest) {
  NEWSD_CRYPTO_CALL(MD5, (bytes, count, digest));
}

#endif
