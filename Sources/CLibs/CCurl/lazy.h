#ifndef NEWSD_CCURL_LATE_H
#define NEWSD_CCURL_LATE_H

// libcurl is loaded when one of its functions is first called, not at program start: it loads thirty libraries, which
// takes longer than most queries. The header's declarations are renamed; functions with the original names, and with
// types taken from those declarations, forward to the library. A function that is not forwarded here fails to link.
#define curl_global_init newsd_declared_curl_global_init
#define curl_easy_init newsd_declared_curl_easy_init
#define curl_easy_cleanup newsd_declared_curl_easy_cleanup
#define curl_easy_reset newsd_declared_curl_easy_reset
#define curl_easy_pause newsd_declared_curl_easy_pause
#define curl_easy_strerror newsd_declared_curl_easy_strerror
#define curl_free newsd_declared_curl_free
#define curl_slist_append newsd_declared_curl_slist_append
#define curl_slist_free_all newsd_declared_curl_slist_free_all
#define curl_multi_init newsd_declared_curl_multi_init
#define curl_multi_cleanup newsd_declared_curl_multi_cleanup
#define curl_multi_add_handle newsd_declared_curl_multi_add_handle
#define curl_multi_remove_handle newsd_declared_curl_multi_remove_handle
#define curl_multi_perform newsd_declared_curl_multi_perform
#define curl_multi_poll newsd_declared_curl_multi_poll
#define curl_multi_wakeup newsd_declared_curl_multi_wakeup
#define curl_multi_info_read newsd_declared_curl_multi_info_read
#define curl_url newsd_declared_curl_url
#define curl_url_cleanup newsd_declared_curl_url_cleanup
#define curl_url_get newsd_declared_curl_url_get
#define curl_url_set newsd_declared_curl_url_set
#define curl_url_strerror newsd_declared_curl_url_strerror
#include <curl/curl.h>
#undef curl_global_init
#undef curl_easy_init
#undef curl_easy_cleanup
#undef curl_easy_reset
#undef curl_easy_pause
#undef curl_easy_strerror
#undef curl_free
#undef curl_slist_append
#undef curl_slist_free_all
#undef curl_multi_init
#undef curl_multi_cleanup
#undef curl_multi_add_handle
#undef curl_multi_remove_handle
#undef curl_multi_perform
#undef curl_multi_poll
#undef curl_multi_wakeup
#undef curl_multi_info_read
#undef curl_url
#undef curl_url_cleanup
#undef curl_url_get
#undef curl_url_set
#undef curl_url_strerror
// curl.h defines macros of these names, which only count arguments.
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt

#include "../late.h"

NEWSD_LATE_LIBRARY(newsd_curl_symbol, "libcurl.so.4", "cannot fetch")

#define NEWSD_CURL_CALL(declared, name, arguments) NEWSD_LATE_CALL(newsd_curl_symbol, declared, name, arguments)

static inline CURLcode curl_global_init(long flags) {
  NEWSD_CURL_CALL(newsd_declared_curl_global_init, "curl_global_init", (flags));
}

static inline CURL *curl_easy_init(void) {
  NEWSD_CURL_CALL(newsd_declared_curl_easy_init, "curl_easy_init", ());
}

static inline void curl_easy_cleanup(CURL *handle) {
  NEWSD_CURL_CALL(newsd_declared_curl_easy_cleanup, "curl_easy_cleanup", (handle));
}

static inline void curl_easy_reset(CURL *handle) {
  NEWSD_CURL_CALL(newsd_declared_curl_easy_reset, "curl_easy_reset", (handle));
}

static inline CURLcode curl_easy_pause(CURL *handle, int mask) {
  NEWSD_CURL_CALL(newsd_declared_curl_easy_pause, "curl_easy_pause", (handle, mask));
}

static inline const char *curl_easy_strerror(CURLcode code) {
  NEWSD_CURL_CALL(newsd_declared_curl_easy_strerror, "curl_easy_strerror", (code));
}

static inline void curl_free(void *memory) {
  NEWSD_CURL_CALL(newsd_declared_curl_free, "curl_free", (memory));
}

static inline struct curl_slist *curl_slist_append(struct curl_slist *list, const char *text) {
  NEWSD_CURL_CALL(newsd_declared_curl_slist_append, "curl_slist_append", (list, text));
}

static inline void curl_slist_free_all(struct curl_slist *list) {
  NEWSD_CURL_CALL(newsd_declared_curl_slist_free_all, "curl_slist_free_all", (list));
}

static inline CURLM *curl_multi_init(void) {
  NEWSD_CURL_CALL(newsd_declared_curl_multi_init, "curl_multi_init", ());
}

static inline CURLMcode curl_multi_cleanup(CURLM *multi) {
  NEWSD_CURL_CALL(newsd_declared_curl_multi_cleanup, "curl_multi_cleanup", (multi));
}

static inline CURLMcode curl_multi_add_handle(CURLM *multi, CURL *handle) {
  NEWSD_CURL_CALL(newsd_declared_curl_multi_add_handle, "curl_multi_add_handle", (multi, handle));
}

static inline CURLMcode curl_multi_remove_handle(CURLM *multi, CURL *handle) {
  NEWSD_CURL_CALL(newsd_declared_curl_multi_remove_handle, "curl_multi_remove_handle", (multi, handle));
}

static inline CURLMcode curl_multi_perform(CURLM *multi, int *running) {
  NEWSD_CURL_CALL(newsd_declared_curl_multi_perform, "curl_multi_perform", (multi, running));
}

static inline CURLMcode curl_multi_poll(CURLM *multi, struct curl_waitfd descriptors[], unsigned int count,
                                        int timeout, int *ready) {
  NEWSD_CURL_CALL(newsd_declared_curl_multi_poll, "curl_multi_poll", (multi, descriptors, count, timeout, ready));
}

static inline CURLMcode curl_multi_wakeup(CURLM *multi) {
  NEWSD_CURL_CALL(newsd_declared_curl_multi_wakeup, "curl_multi_wakeup", (multi));
}

static inline CURLMsg *curl_multi_info_read(CURLM *multi, int *left) {
  NEWSD_CURL_CALL(newsd_declared_curl_multi_info_read, "curl_multi_info_read", (multi, left));
}

static inline CURLU *curl_url(void) {
  NEWSD_CURL_CALL(newsd_declared_curl_url, "curl_url", ());
}

static inline void curl_url_cleanup(CURLU *url) {
  NEWSD_CURL_CALL(newsd_declared_curl_url_cleanup, "curl_url_cleanup", (url));
}

static inline CURLUcode curl_url_get(CURLU *url, CURLUPart what, char **part, unsigned int flags) {
  NEWSD_CURL_CALL(newsd_declared_curl_url_get, "curl_url_get", (url, what, part, flags));
}

static inline CURLUcode curl_url_set(CURLU *url, CURLUPart what, const char *part, unsigned int flags) {
  NEWSD_CURL_CALL(newsd_declared_curl_url_set, "curl_url_set", (url, what, part, flags));
}

static inline const char *curl_url_strerror(CURLUcode code) {
  NEWSD_CURL_CALL(newsd_declared_curl_url_strerror, "curl_url_strerror", (code));
}

#endif
