#ifndef NEWSD_CPSL_SHIM_H
#define NEWSD_CPSL_SHIM_H

#include <libpsl.h>

#include "../late.h"

// libpsl is loaded when the first site is looked up, because it loads libunistring.
NEWSD_LATE_LIBRARY(newsd_psl_symbol, "libpsl.so.5", "cannot look up registered domains")

#define NEWSD_PSL_CALL(name, arguments) NEWSD_LATE_CALL(newsd_psl_symbol, name, #name, arguments)

static inline psl_ctx_t *newsd_psl_latest(void) { NEWSD_PSL_CALL(psl_latest, (NULL)); }

static inline const psl_ctx_t *newsd_psl_builtin(void) { NEWSD_PSL_CALL(psl_builtin, ()); }

// The result points into `domain`.
static inline const char *newsd_psl_registrable_domain(const psl_ctx_t *list, const char *domain) {
  NEWSD_PSL_CALL(psl_registrable_domain, (list, domain));
}

#endif
