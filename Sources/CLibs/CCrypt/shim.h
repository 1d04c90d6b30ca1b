#ifndef NEWSD_CCRYPT_SHIM_H
#define NEWSD_CCRYPT_SHIM_H

// libcrypt hashes login passwords. Every Debian system has it, but its header is in a package of its own, so
// the two functions are declared here; their ABI is stable. They are looked up on each call.
#include <dlfcn.h>
#include <stddef.h>

static inline void *newsd_crypt_symbol(const char *name) {
  void *library = dlopen("libcrypt.so.1", RTLD_NOW | RTLD_LOCAL);
  return library ? dlsym(library, name) : NULL;
}

// Returns a setting for `newsd_crypt`, or NULL if the library or the method is missing. The caller frees it.
static inline char *newsd_crypt_setting(const char *prefix, unsigned long cost, const char *random, int count) {
  void *found = newsd_crypt_symbol("crypt_gensalt_ra");
  return found ? ((char *(*)(const char *, unsigned long, const char *, int))found)(prefix, cost, random, count) : NULL;
}

// Returns the hash, which is part of the block at `*block`, or NULL if the library is missing or refuses the
// phrase or the setting. The caller frees the block.
static inline char *newsd_crypt(const char *phrase, const char *setting, void **block, int *size) {
  void *found = newsd_crypt_symbol("crypt_ra");
  return found ? ((char *(*)(const char *, const char *, void **, int *))found)(phrase, setting, block, size) : NULL;
}

#endif
