#ifndef NEWSD_CSQLITE_SHIM_H
#define NEWSD_CSQLITE_SHIM_H

#include <sqlite3.h>

// sqlite3_db_config is variadic, which Swift cannot call.
static inline int newsd_sqlite3_db_config_flag(sqlite3 *db, int option, int value) {
  return sqlite3_db_config(db, option, value, (int *)0);
}

// sqlite3_config is variadic too.
static inline int newsd_sqlite3_config_flag(int option, int value) { return sqlite3_config(option, value); }

// Sets the memory that each connection takes in advance: `count` pieces of `size` bytes for small objects, and no pages.
static inline int newsd_sqlite3_config_memory(int size, int count) {
  int code = sqlite3_config(SQLITE_CONFIG_LOOKASIDE, size, count);
  return code == SQLITE_OK ? sqlite3_config(SQLITE_CONFIG_PAGECACHE, (void *)0, 0, 0) : code;
}

// Swift does not import SQLITE_TRANSIENT, which is a cast. It makes SQLite copy the bound value.
static inline sqlite3_destructor_type newsd_sqlite3_transient(void) { return SQLITE_TRANSIENT; }

#endif
