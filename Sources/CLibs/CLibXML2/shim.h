#ifndef NEWSD_CLIBXML2_SHIM_H
#define NEWSD_CLIBXML2_SHIM_H

#include <libxml/xmlversion.h>
// Where libxml2 was built with ICU its headers include ICU's, which clash with the copy in Foundation.
#undef LIBXML_ICU_ENABLED
#include <libxml/HTMLparser.h>
#include <libxml/encoding.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>

#endif
