#ifndef NEWSD_CCURL_SHIM_H
#define NEWSD_CCURL_SHIM_H

#include <curl/curl.h>

// curl_easy_setopt and its kin are variadic, which Swift cannot call: one typed function for each kind
// of argument, and no more C than that.

static inline CURLcode newsd_curl_setopt_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode newsd_curl_setopt_offset(CURL *handle, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode newsd_curl_setopt_string(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode newsd_curl_setopt_pointer(CURL *handle, CURLoption option, void *value) {
  return curl_easy_setopt(handle, option, value);
}

#endif
