#ifndef NEWSD_CPSL_SHIM_H
#define NEWSD_CPSL_SHIM_H

#include <libpsl.h>

#endif
