#ifndef NEWSD_CMICROHTTPD_SHIM_H
#define NEWSD_CMICROHTTPD_SHIM_H

// libmicrohttpd is loaded when one of its functions is first called, not at program start: it loads GnuTLS, which takes
// longer than most queries. These functions take their types from the header's declarations and forward to the library.
// A function of the header that is called directly fails to link.
#include <microhttpd.h>

#include "../late.h"

NEWSD_LATE_LIBRARY(newsd_mhd_symbol, "libmicrohttpd.so.12", "cannot listen")

#define NEWSD_MHD_CALL(name, arguments) NEWSD_LATE_CALL(newsd_mhd_symbol, name, #name, arguments)

// Callbacks of a daemon. Each function receives `context` as its first argument.
typedef struct {
  void *context;
  MHD_AccessHandlerCallback handle;
  MHD_RequestCompletedCallback completed;
  MHD_NotifyConnectionCallback notify;
  void *(*target)(void *context, const char *target, struct MHD_Connection *connection);
} newsd_mhd_callbacks;

typedef struct {
  unsigned int threads;
  unsigned int connections;
  unsigned int timeout_seconds;
} newsd_mhd_limits;

// Leaves the request target unchanged, because newsd decodes it itself.
static inline size_t newsd_mhd_keep_escapes(void *context, struct MHD_Connection *connection, char *text) {
  (void)context;
  (void)connection;
  size_t length = 0;
  while (text[length]) length++;
  return length;
}

// Starts a daemon with the options that newsd uses (MHD_start_daemon is variadic, which Swift cannot call).
static inline struct MHD_Daemon *newsd_mhd_start(const newsd_mhd_callbacks *calls, const newsd_mhd_limits *limits) {
  NEWSD_MHD_CALL(MHD_start_daemon,
                 (MHD_USE_NO_LISTEN_SOCKET | MHD_USE_EPOLL | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_ITC |
                      MHD_ALLOW_SUSPEND_RESUME, 0,
                  NULL, NULL, calls->handle, calls->context,
                  MHD_OPTION_NOTIFY_COMPLETED, calls->completed, calls->context,
                  MHD_OPTION_NOTIFY_CONNECTION, calls->notify, calls->context,
                  MHD_OPTION_URI_LOG_CALLBACK, calls->target, calls->context,
                  MHD_OPTION_UNESCAPE_CALLBACK, &newsd_mhd_keep_escapes, NULL,
                  // Refuses a missing Host field and a space before the colon of a field.
                  MHD_OPTION_STRICT_FOR_CLIENT, 1,
                  MHD_OPTION_THREAD_POOL_SIZE, limits->threads > 1 ? limits->threads : 0,
                  MHD_OPTION_CONNECTION_LIMIT, limits->connections,
                  MHD_OPTION_CONNECTION_TIMEOUT, limits->timeout_seconds,
                  MHD_OPTION_END));
}

#ifndef __USE_GNU
// Declared here as in <sys/socket.h>, which declares it only for _GNU_SOURCE.
extern int accept4(int socket, struct sockaddr *peer, socklen_t *length, int flags);
#endif
// accept4(2). The caller passes the flags: an enumeration of <sys/socket.h> that is used here would become one of this module.
static inline int newsd_accept(int listener, struct sockaddr *peer, socklen_t *length, int flags) {
  return accept4(listener, peer, length, flags);
}

// Passes a connection to the daemon, which closes it even if it does not take it.
static inline enum MHD_Result newsd_mhd_add(struct MHD_Daemon *daemon, int socket, const struct sockaddr *peer,
                                            socklen_t length) {
  NEWSD_MHD_CALL(MHD_add_connection, (daemon, socket, peer, length));
}

static inline void newsd_mhd_stop(struct MHD_Daemon *daemon) {
  NEWSD_MHD_CALL(MHD_stop_daemon, (daemon));
}

static inline void newsd_mhd_suspend(struct MHD_Connection *connection) {
  NEWSD_MHD_CALL(MHD_suspend_connection, (connection));
}

static inline void newsd_mhd_resume(struct MHD_Connection *connection) {
  NEWSD_MHD_CALL(MHD_resume_connection, (connection));
}

static inline int newsd_mhd_fields(struct MHD_Connection *connection, MHD_KeyValueIteratorN iterator,
                                   void *context) {
  NEWSD_MHD_CALL(MHD_get_connection_values_n, (connection, MHD_HEADER_KIND, iterator, context));
}

static inline struct MHD_Response *newsd_mhd_copying_response(size_t size, const void *bytes) {
  NEWSD_MHD_CALL(MHD_create_response_from_buffer, (size, (void *)bytes, MHD_RESPMEM_MUST_COPY));
}

// A file in memory, or -1. Declared here as in <sys/mman.h>, which declares it only for _GNU_SOURCE.
extern int memfd_create(const char *name, unsigned int flags);
static inline int newsd_memory_file(const char *name) {
  return memfd_create(name, 1U /* MFD_CLOEXEC */);
}

// Creates a response with the content of a file. The library sends the file without copying it, and closes it.
static inline struct MHD_Response *newsd_mhd_file_response(uint64_t size, int file) {
  NEWSD_MHD_CALL(MHD_create_response_from_fd64, (size, file));
}

static inline struct MHD_Response *newsd_mhd_reading_response(uint64_t size, size_t block,
                                                              MHD_ContentReaderCallback read, void *context,
                                                              MHD_ContentReaderFreeCallback release) {
  NEWSD_MHD_CALL(MHD_create_response_from_callback, (size, block, read, context, release));
}

static inline enum MHD_Result newsd_mhd_add_field(struct MHD_Response *response, const char *name,
                                                  const char *value) {
  NEWSD_MHD_CALL(MHD_add_response_header, (response, name, value));
}

static inline enum MHD_Result newsd_mhd_queue(struct MHD_Connection *connection, unsigned int status,
                                              struct MHD_Response *response) {
  NEWSD_MHD_CALL(MHD_queue_response, (connection, status, response));
}

static inline void newsd_mhd_release(struct MHD_Response *response) {
  NEWSD_MHD_CALL(MHD_destroy_response, (response));
}

static inline const union MHD_ConnectionInfo *newsd_mhd_info(struct MHD_Connection *connection,
                                                             enum MHD_ConnectionInfoType type) {
  NEWSD_MHD_CALL(MHD_get_connection_info, (connection, type));
}

// Returns the connection's socket, or -1.
static inline MHD_socket newsd_mhd_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = newsd_mhd_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

// Returns the address of the connection's other end, or NULL.
static inline const struct sockaddr *newsd_mhd_peer(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = newsd_mhd_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return info ? info->client_addr : NULL;
}

static const enum MHD_ConnectionNotificationCode newsd_mhd_connection_started = MHD_CONNECTION_NOTIFY_STARTED;

// The types under which Swift imports these enumerations depend on attributes that vary between versions.
static const enum MHD_Result newsd_mhd_yes = MHD_YES;
static const enum MHD_Result newsd_mhd_no = MHD_NO;
static const uint64_t newsd_mhd_size_unknown = MHD_SIZE_UNKNOWN;
static const ssize_t newsd_mhd_end_of_stream = MHD_CONTENT_READER_END_OF_STREAM;
static const ssize_t newsd_mhd_end_with_error = MHD_CONTENT_READER_END_WITH_ERROR;

#endif
