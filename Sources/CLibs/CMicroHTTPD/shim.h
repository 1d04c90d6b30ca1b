#ifndef NEWSD_CMICROHTTPD_SHIM_H
#define NEWSD_CMICROHTTPD_SHIM_H

#include <microhttpd.h>

// MHD_start_daemon is variadic, which Swift cannot call: this one has the options that newsd uses.
// Takes over the listening socket.
static inline struct MHD_Daemon *newsd_mhd_start(MHD_socket listener, MHD_AccessHandlerCallback handler,
                                                 void *context, MHD_RequestCompletedCallback completed,
                                                 unsigned int connections, unsigned int timeout_seconds) {
  return MHD_start_daemon(MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD, 0, NULL, NULL, handler, context,
                          MHD_OPTION_LISTEN_SOCKET, listener,
                          MHD_OPTION_NOTIFY_COMPLETED, completed, NULL,
                          MHD_OPTION_CONNECTION_LIMIT, connections,
                          MHD_OPTION_CONNECTION_TIMEOUT, timeout_seconds,
                          MHD_OPTION_END);
}

// How Swift sees an enumeration's values depends on attributes that vary between versions.
static const enum MHD_Result newsd_mhd_yes = MHD_YES;
static const enum MHD_Result newsd_mhd_no = MHD_NO;
static const enum MHD_ValueKind newsd_mhd_header_kind = MHD_HEADER_KIND;
static const enum MHD_ValueKind newsd_mhd_argument_kind = MHD_GET_ARGUMENT_KIND;
static const enum MHD_ResponseMemoryMode newsd_mhd_must_copy = MHD_RESPMEM_MUST_COPY;

#endif
