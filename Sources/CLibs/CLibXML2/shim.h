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

#include "../late.h"

// libxml2 is loaded when the first feed is parsed, because it loads ICU. These functions take their types from the
// header's declarations. A function of the header that is called directly fails to link.
#if LIBXML_VERSION >= 21400
NEWSD_LATE_LIBRARY(newsd_xml_symbol, "libxml2.so.16", "cannot parse feeds")
#else
NEWSD_LATE_LIBRARY(newsd_xml_symbol, "libxml2.so.2", "cannot parse feeds")
#endif

#define NEWSD_XML_CALL(name, arguments) NEWSD_LATE_CALL(newsd_xml_symbol, name, #name, arguments)

static inline void newsd_xml_init(void) { NEWSD_XML_CALL(xmlInitParser, ()); }

static inline xmlParserCtxtPtr newsd_xml_create_push_parser(xmlSAXHandlerPtr handler, void *context) {
  NEWSD_XML_CALL(xmlCreatePushParserCtxt, (handler, context, NULL, 0, NULL));
}

static inline int newsd_xml_use_options(xmlParserCtxtPtr parser, int options) {
  NEWSD_XML_CALL(xmlCtxtUseOptions, (parser, options));
}

static inline size_t newsd_xml_limit_names(xmlDictPtr names, size_t bytes) {
  NEWSD_XML_CALL(xmlDictSetLimit, (names, bytes));
}

static inline int newsd_xml_parse(xmlParserCtxtPtr parser, const char *bytes, int size, int ends) {
  NEWSD_XML_CALL(xmlParseChunk, (parser, bytes, size, ends));
}

static inline void newsd_xml_free_parser(xmlParserCtxtPtr parser) {
  NEWSD_XML_CALL(xmlFreeParserCtxt, (parser));
}

// Returns whether the parser has stopped. Newer versions have a function for this and deprecate the field.
static inline int newsd_xml_is_stopped(xmlParserCtxtPtr parser) {
#if LIBXML_VERSION >= 21400
  NEWSD_XML_CALL(xmlCtxtIsStopped, (parser));
#else
  return parser->disableSAX != 0;
#endif
}

static inline void newsd_xml_ignore(void *context, const char *message, ...) {
  (void)context;
  (void)message;
}

static inline void newsd_xml_set_errors(xmlGenericErrorFunc handler) {
  NEWSD_XML_CALL(xmlSetGenericErrorFunc, (NULL, handler));
}

static inline void newsd_xml_set_errors_of_later_threads(xmlGenericErrorFunc handler) {
  NEWSD_XML_CALL(xmlThrDefSetGenericErrorFunc, (NULL, handler));
}

// Silences messages that belong to no parser, such as those of encoding converters, which would go to standard error.
// The handler is in C, because a Swift function cannot be variadic.
static inline void newsd_xml_silence_errors(void) {
  newsd_xml_set_errors(newsd_xml_ignore);
  newsd_xml_set_errors_of_later_threads(newsd_xml_ignore);
}

#endif
