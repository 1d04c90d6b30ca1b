#ifndef NEWSD_CCURL_SHIM_H
#define NEWSD_CCURL_SHIM_H

#include <malloc.h>
#include "lazy.h"

// curl_easy_setopt and related functions are variadic, which Swift cannot call. So each kind of argument has a typed
// function.

static inline CURLcode newsd_curl_setopt_long(CURL *handle, CURLoption option, long value) {
  NEWSD_CURL_CALL(curl_easy_setopt, "curl_easy_setopt", (handle, option, value));
}

static inline CURLcode newsd_curl_setopt_string(CURL *handle, CURLoption option, const char *value) {
  NEWSD_CURL_CALL(curl_easy_setopt, "curl_easy_setopt", (handle, option, value));
}

static inline CURLcode newsd_curl_setopt_pointer(CURL *handle, CURLoption option, void *value) {
  NEWSD_CURL_CALL(curl_easy_setopt, "curl_easy_setopt", (handle, option, value));
}

static inline CURLcode newsd_curl_setopt_list(CURL *handle, CURLoption option, struct curl_slist *value) {
  NEWSD_CURL_CALL(curl_easy_setopt, "curl_easy_setopt", (handle, option, value));
}

typedef size_t (*newsd_curl_data_callback)(char *bytes, size_t size, size_t count, void *context);

// Sets CURLOPT_WRITEFUNCTION or CURLOPT_HEADERFUNCTION.
static inline CURLcode newsd_curl_setopt_data(CURL *handle, CURLoption option,
                                              newsd_curl_data_callback callback) {
  NEWSD_CURL_CALL(curl_easy_setopt, "curl_easy_setopt", (handle, option, callback));
}

static inline CURLcode newsd_curl_setopt_opensocket(CURL *handle, curl_opensocket_callback callback) {
  NEWSD_CURL_CALL(curl_easy_setopt, "curl_easy_setopt", (handle, CURLOPT_OPENSOCKETFUNCTION, callback));
}

static inline CURLcode newsd_curl_setopt_prereq(CURL *handle, curl_prereq_callback callback) {
  NEWSD_CURL_CALL(curl_easy_setopt, "curl_easy_setopt", (handle, CURLOPT_PREREQFUNCTION, callback));
}

// Restricts a transfer to HTTP. The string option appeared in 7.85 and replaces the deprecated bit mask.
static inline CURLcode newsd_curl_allow_http_only(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075500
  NEWSD_CURL_CALL(curl_easy_setopt, "curl_easy_setopt", (handle, CURLOPT_PROTOCOLS_STR, "http,https"));
#else
  NEWSD_CURL_CALL(curl_easy_setopt, "curl_easy_setopt", (handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS)));
#endif
}

static inline CURLcode newsd_curl_getinfo_long(CURL *handle, CURLINFO info, long *value) {
  NEWSD_CURL_CALL(curl_easy_getinfo, "curl_easy_getinfo", (handle, info, value));
}

static inline CURLcode newsd_curl_getinfo_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
  NEWSD_CURL_CALL(curl_easy_getinfo, "curl_easy_getinfo", (handle, info, value));
}

static inline CURLcode newsd_curl_getinfo_pointer(CURL *handle, CURLINFO info, void **value) {
  NEWSD_CURL_CALL(curl_easy_getinfo, "curl_easy_getinfo", (handle, info, value));
}

static inline CURLcode newsd_curl_getinfo_socket(CURL *handle, CURLINFO info, curl_socket_t *value) {
  NEWSD_CURL_CALL(curl_easy_getinfo, "curl_easy_getinfo", (handle, info, value));
}

static inline CURLMcode newsd_curl_multi_setopt_long(CURLM *handle, CURLMoption option, long value) {
  NEWSD_CURL_CALL(curl_multi_setopt, "curl_multi_setopt", (handle, option, value));
}

// Returns the result of a finished transfer, a member of an anonymous union.
static inline CURLcode newsd_curl_message_result(const CURLMsg *message) {
  return message->data.result;
}

// Macros that Swift does not import because of their casts, or imports with a type that varies between versions.
static const long newsd_curl_http2_over_tls = CURL_HTTP_VERSION_2TLS;
static const long newsd_curl_netrc_ignored = CURL_NETRC_IGNORED;
static const long newsd_curl_auth_basic = CURLAUTH_BASIC;
static const long newsd_curl_auth_bearer = CURLAUTH_BEARER;
static const size_t newsd_curl_write_pause = CURL_WRITEFUNC_PAUSE;
static const curl_socket_t newsd_curl_socket_bad = CURL_SOCKET_BAD;

// CURLOPT_QUICK_EXIT appeared in 7.87; without it, cancelling a transfer waits for name resolution.
static inline CURLcode newsd_curl_setopt_quick_exit(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075700
  return newsd_curl_setopt_long(handle, CURLOPT_QUICK_EXIT, 1L);
#else
  (void)handle;
  return CURLE_OK;
#endif
}

// Makes glibc return large freed blocks to the system. Bodies are large and short-lived: after the first one is freed,
// glibc raises its threshold and keeps such blocks in per-thread arenas, so the process never shrinks. A fixed
// threshold prevents this.
static inline void newsd_release_large_blocks(void) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 256 << 10);
  mallopt(M_TRIM_THRESHOLD, 4 << 20);
  mallopt(M_ARENA_MAX, 2);
#endif
}

// CURLU_PUNYCODE appeared in 7.88; without it, a host is kept as written.
#ifdef CURLU_PUNYCODE
static const unsigned int newsd_curl_url_punycode = CURLU_PUNYCODE;
#else
static const unsigned int newsd_curl_url_punycode = 0;
#endif

#endif
