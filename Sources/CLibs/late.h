#ifndef NEWSD_LATE_H
#define NEWSD_LATE_H

// For libraries that are loaded when one of their functions is first called, not at program start, where each of them
// would delay every command. Macros only, because several modules include this file.

#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

// Defines `find(name)`, which looks a function up in `library` and ends newsd if there is none. Concurrent look-ups are
// harmless: they find the same symbol.
#define NEWSD_LATE_LIBRARY(find, library, failure) \
  static inline void *find(const char *name) { \
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL); \
    void *symbol = handle ? dlsym(handle, name) : NULL; \
    if (!symbol) { \
      fprintf(stderr, "newsd: " failure ": %s\n", dlerror()); \
      _exit(70); \
    } \
    return symbol; \
  }

// Calls the function `name` with the type of the header's declaration `declared`, and returns its result.
#define NEWSD_LATE_CALL(find, declared, name, arguments) \
  static void *symbol; \
  void *found = __atomic_load_n(&symbol, __ATOMIC_ACQUIRE); \
  if (!found) { \
    found = find(name); \
    __atomic_store_n(&symbol, found, __ATOMIC_RELEASE); \
  } \
  return ((__typeof__(&declared))found)arguments

#endif
