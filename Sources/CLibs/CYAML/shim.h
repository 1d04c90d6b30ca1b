#ifndef NEWSD_CYAML_SHIM_H
#define NEWSD_CYAML_SHIM_H

#include <yaml.h>

#endif
