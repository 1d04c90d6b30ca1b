#ifndef NEWSD_CSQLITE_SHIM_H
#define NEWSD_CSQLITE_SHIM_H

#include <sqlite3.h>

#endif
