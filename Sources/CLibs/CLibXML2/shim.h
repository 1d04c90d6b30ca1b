#ifndef NEWSD_CLIBXML2_SHIM_H
#define NEWSD_CLIBXML2_SHIM_H

#include <libxml/xmlversion.h>
// If libxml2 was built with ICU, its headers include ICU's, which clash with the copy in Foundation.
#undef LIBXML_ICU_ENABLED
#include <libxml/HTMLparser.h>
#include <libxml/encoding.h>
#include <libxml/globals.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>

// Returns whether the parser has stopped. Newer versions have a function for this and deprecate the field.
static inline int newsd_xml_is_stopped(xmlParserCtxtPtr parser) {
#if LIBXML_VERSION >= 21400
  return xmlCtxtIsStopped(parser);
#else
  return parser->disableSAX != 0;
#endif
}

static inline void newsd_xml_ignore(void *context, const char *message, ...) {
  (void)context;
  (void)message;
}

// Silences messages that belong to no parser, such as those of encoding converters, which would go to standard error.
// The handler is in C, because a Swift function cannot be variadic.
static inline void newsd_xml_silence_errors(void) {
  xmlSetGenericErrorFunc(NULL, newsd_xml_ignore);
  xmlThrDefSetGenericErrorFunc(NULL, newsd_xml_ignore);  // for threads created later
}

#endif
