#ifndef NEWSD_CMICROHTTPD_SHIM_H
#define NEWSD_CMICROHTTPD_SHIM_H

#include <microhttpd.h>

#endif
