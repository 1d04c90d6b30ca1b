#ifndef NEWSD_CFRIBIDI_SHIM_H
#define NEWSD_CFRIBIDI_SHIM_H

// libfribidi is loaded when the reader first shows right-to-left text. Its functions are declared here, because the
// reader also works without it, so the header need not be installed. The ABI of libfribidi.so.0 is stable.

#include <stdbool.h>
#include <stdint.h>

#include "../late.h"

void newsd_declared_fribidi_get_bidi_types(const uint32_t *text, int count, uint32_t *types);
void newsd_declared_fribidi_get_bracket_types(const uint32_t *text, int count, const uint32_t *types,
                                              uint32_t *brackets);
int8_t newsd_declared_fribidi_get_par_embedding_levels_ex(const uint32_t *types, const uint32_t *brackets, int count,
                                                          uint32_t *direction, int8_t *levels);
int8_t newsd_declared_fribidi_reorder_line(uint32_t flags, const uint32_t *types, int count, int offset,
                                           uint32_t direction, int8_t *levels, uint32_t *text, int *map);
void newsd_declared_fribidi_get_joining_types(const uint32_t *text, int count, uint8_t *joining);
void newsd_declared_fribidi_join_arabic(const uint32_t *types, int count, const int8_t *levels, uint8_t *joining);
void newsd_declared_fribidi_shape(uint32_t flags, const int8_t *levels, int count, uint8_t *joining, uint32_t *text);
int newsd_declared_fribidi_get_mirror_char(uint32_t scalar, uint32_t *mirrored);

NEWSD_LATE_LIBRARY(newsd_bidi_symbol, "libfribidi.so.0", "cannot order right-to-left text")

#define NEWSD_BIDI_CALL(name, arguments) \
  NEWSD_LATE_CALL(newsd_bidi_symbol, newsd_declared_fribidi_##name, "fribidi_" #name, arguments)

// Without the library, the other functions end newsd.
static inline bool newsd_bidi_is_available(void) { return dlopen("libfribidi.so.0", RTLD_NOW | RTLD_LOCAL) != NULL; }

static inline void newsd_bidi_types(const uint32_t *text, int count, uint32_t *types) {
  NEWSD_BIDI_CALL(get_bidi_types, (text, count, types));
}

static inline void newsd_bidi_brackets(const uint32_t *text, int count, const uint32_t *types, uint32_t *brackets) {
  NEWSD_BIDI_CALL(get_bracket_types, (text, count, types, brackets));
}

// Replaces `direction` with the direction found, and returns 0 if memory is short.
static inline int8_t newsd_bidi_levels(const uint32_t *types, const uint32_t *brackets, int count, uint32_t *direction,
                                       int8_t *levels) {
  NEWSD_BIDI_CALL(get_par_embedding_levels_ex, (types, brackets, count, direction, levels));
}

// Reorders `map`, and resets the levels of spaces at the end of the line.
static inline int8_t newsd_bidi_reorder(const uint32_t *types, int count, uint32_t direction, int8_t *levels,
                                        int *map) {
  NEWSD_BIDI_CALL(reorder_line, (0, types, count, 0, direction, levels, NULL, map));
}

static inline void newsd_bidi_joining_types(const uint32_t *text, int count, uint8_t *joining) {
  NEWSD_BIDI_CALL(get_joining_types, (text, count, joining));
}

static inline void newsd_bidi_join(const uint32_t *types, int count, const int8_t *levels, uint8_t *joining) {
  NEWSD_BIDI_CALL(join_arabic, (types, count, levels, joining));
}

// Replaces Arabic letters with presentation forms (flags 0x100) and ligatures (0x200).
static inline void newsd_bidi_shape(const int8_t *levels, int count, uint8_t *joining, uint32_t *text) {
  NEWSD_BIDI_CALL(shape, (0x300, levels, count, joining, text));
}

static inline int newsd_bidi_mirror(uint32_t scalar, uint32_t *mirrored) {
  NEWSD_BIDI_CALL(get_mirror_char, (scalar, mirrored));
}

#endif
