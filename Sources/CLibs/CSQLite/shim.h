#ifndef NEWSD_CSQLITE_SHIM_H
#define NEWSD_CSQLITE_SHIM_H

#include <sqlite3.h>

// sqlite3_db_config is variadic, which Swift cannot call.
static inline int newsd_sqlite3_db_config_flag(sqlite3 *db, int option, int value) {
  return sqlite3_db_config(db, option, value, (int *)0);
}

// sqlite3_config is variadic too.
static inline int newsd_sqlite3_config_flag(int option, int value) { return sqlite3_config(option, value); }

// Swift does not import SQLITE_TRANSIENT, which is a cast. It makes SQLite copy the bound value.
static inline sqlite3_destructor_type newsd_sqlite3_transient(void) { return SQLITE_TRANSIENT; }

#endif
