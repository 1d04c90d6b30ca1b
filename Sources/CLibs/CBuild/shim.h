#ifndef NEWSD_CBUILD_SHIM_H
#define NEWSD_CBUILD_SHIM_H

// Facts about the binary: the commit that it was built from, and the versions of its libraries.

#include <dlfcn.h>
#include <stddef.h>

// Package.swift defines NEWSD_COMMIT if the build knows the commit.
#ifndef NEWSD_COMMIT
#define NEWSD_COMMIT unknown
#endif
#define NEWSD_QUOTED(name) #name
#define NEWSD_QUOTED_VALUE(name) NEWSD_QUOTED(name)

static inline const char *newsd_commit(void) { return NEWSD_QUOTED_VALUE(NEWSD_COMMIT); }

// Returns what the function `name` of a library returns, or, if `is_variable`, the text to which the variable `name`
// points. NULL: the library or the symbol is missing. The library stays loaded.
static inline const char *newsd_library_text(const char *file, const char *name, int is_variable) {
  void *library = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
  void *found = library ? dlsym(library, name) : NULL;
  if (!found) return NULL;
  // OpenSSL_version takes 0 for the version; the other functions take nothing, and ignore the register.
  return is_variable ? *(const char **)found : ((const char *(*)(int))found)(0);
}

// The same for a function that returns a number; -1: the library or the symbol is missing.
static inline int newsd_library_number(const char *file, const char *name) {
  void *library = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
  void *found = library ? dlsym(library, name) : NULL;
  return found ? ((int (*)(void))found)() : -1;
}

#endif
