#ifndef NEWSD_CMICROHTTPD_SHIM_H
#define NEWSD_CMICROHTTPD_SHIM_H

// libmicrohttpd is loaded when one of its functions is first called, not at program start: it loads GnuTLS, which takes
// longer than most queries. The header's declarations are renamed; functions with the original names, and with types
// taken from those declarations, forward to the library. A function that is not forwarded here fails to link.
#define MHD_stop_daemon newsd_declared_MHD_stop_daemon
#define MHD_get_connection_values newsd_declared_MHD_get_connection_values
#define MHD_create_response_from_buffer newsd_declared_MHD_create_response_from_buffer
#define MHD_add_response_header newsd_declared_MHD_add_response_header
#define MHD_queue_response newsd_declared_MHD_queue_response
#define MHD_destroy_response newsd_declared_MHD_destroy_response
#include <microhttpd.h>
#undef MHD_stop_daemon
#undef MHD_get_connection_values
#undef MHD_create_response_from_buffer
#undef MHD_add_response_header
#undef MHD_queue_response
#undef MHD_destroy_response

#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

// Concurrent look-ups are harmless: both find the same symbol.
static inline void *newsd_mhd_symbol(const char *name) {
  void *library = dlopen("libmicrohttpd.so.12", RTLD_NOW | RTLD_LOCAL);
  void *symbol = library ? dlsym(library, name) : NULL;
  if (!symbol) {
    fprintf(stderr, "newsd: cannot listen: %s\n", dlerror());
    _exit(70);
  }
  return symbol;
}

#define NEWSD_MHD_CALL(declared, name, arguments) \
  static void *symbol; \
  void *found = __atomic_load_n(&symbol, __ATOMIC_ACQUIRE); \
  if (!found) { \
    found = newsd_mhd_symbol(name); \
    __atomic_store_n(&symbol, found, __ATOMIC_RELEASE); \
  } \
  return ((__typeof__(&declared))found)arguments

static inline void MHD_stop_daemon(struct MHD_Daemon *daemon) {
  NEWSD_MHD_CALL(newsd_declared_MHD_stop_daemon, "MHD_stop_daemon", (daemon));
}

static inline int MHD_get_connection_values(struct MHD_Connection *connection, enum MHD_ValueKind kind,
                                            MHD_KeyValueIterator iterator, void *context) {
  NEWSD_MHD_CALL(newsd_declared_MHD_get_connection_values, "MHD_get_connection_values",
                 (connection, kind, iterator, context));
}

static inline struct MHD_Response *MHD_create_response_from_buffer(size_t size, void *buffer,
                                                                   enum MHD_ResponseMemoryMode mode) {
  NEWSD_MHD_CALL(newsd_declared_MHD_create_response_from_buffer, "MHD_create_response_from_buffer",
                 (size, buffer, mode));
}

static inline enum MHD_Result MHD_add_response_header(struct MHD_Response *response, const char *name,
                                                      const char *value) {
  NEWSD_MHD_CALL(newsd_declared_MHD_add_response_header, "MHD_add_response_header", (response, name, value));
}

static inline enum MHD_Result MHD_queue_response(struct MHD_Connection *connection, unsigned int status,
                                                 struct MHD_Response *response) {
  NEWSD_MHD_CALL(newsd_declared_MHD_queue_response, "MHD_queue_response", (connection, status, response));
}

static inline void MHD_destroy_response(struct MHD_Response *response) {
  NEWSD_MHD_CALL(newsd_declared_MHD_destroy_response, "MHD_destroy_response", (response));
}

// Starts a daemon with the options that newsd uses (MHD_start_daemon is variadic, which Swift cannot call).
// The daemon takes ownership of the listening socket.
static inline struct MHD_Daemon *newsd_mhd_start(MHD_socket listener, MHD_AccessHandlerCallback handler,
                                                 void *context, MHD_RequestCompletedCallback completed,
                                                 unsigned int connections, unsigned int connections_of_address,
                                                 unsigned int timeout_seconds,
                                                 MHD_NotifyConnectionCallback notify) {
  NEWSD_MHD_CALL(MHD_start_daemon, "MHD_start_daemon",
                 (MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD, 0, NULL, NULL, handler, context,
                  MHD_OPTION_LISTEN_SOCKET, listener,
                  MHD_OPTION_NOTIFY_COMPLETED, completed, NULL,
                  MHD_OPTION_CONNECTION_LIMIT, connections,
                  MHD_OPTION_PER_IP_CONNECTION_LIMIT, connections_of_address,
                  MHD_OPTION_CONNECTION_TIMEOUT, timeout_seconds,
                  MHD_OPTION_NOTIFY_CONNECTION, notify, context,
                  MHD_OPTION_END));
}

static inline const union MHD_ConnectionInfo *newsd_mhd_info(struct MHD_Connection *connection,
                                                             enum MHD_ConnectionInfoType type) {
  NEWSD_MHD_CALL(MHD_get_connection_info, "MHD_get_connection_info", (connection, type));
}

// Returns the connection's socket, or -1.
static inline MHD_socket newsd_mhd_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = newsd_mhd_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

static const enum MHD_ConnectionNotificationCode newsd_mhd_connection_started = MHD_CONNECTION_NOTIFY_STARTED;

// The types under which Swift imports these enumerations depend on attributes that vary between versions.
static const enum MHD_Result newsd_mhd_yes = MHD_YES;
static const enum MHD_Result newsd_mhd_no = MHD_NO;
static const enum MHD_ValueKind newsd_mhd_header_kind = MHD_HEADER_KIND;
static const enum MHD_ValueKind newsd_mhd_argument_kind = MHD_GET_ARGUMENT_KIND;
static const enum MHD_ResponseMemoryMode newsd_mhd_must_copy = MHD_RESPMEM_MUST_COPY;

#endif
