#ifndef NEWSD_CPQ_SHIM_H
#define NEWSD_CPQ_SHIM_H

// libpq is loaded when a PostgreSQL store is opened, and is not linked, because a store in a file must not load the
// 24 libraries on which libpq depends. Its functions are declared here, because the header is in a separate package
// and the ABI of libpq.so.5 has been stable since PostgreSQL 8.

#include <dlfcn.h>
#include <stddef.h>

typedef struct newsd_pq_connection newsd_pq_connection;
typedef struct newsd_pq_result newsd_pq_result;

typedef struct newsd_pq_notification {
  char *channel;
  int process;
  char *payload;
  struct newsd_pq_notification *next;
} newsd_pq_notification;

typedef void (*newsd_pq_notice_processor)(void *context, const char *message);

typedef struct {
  char *keyword;
  char *envvar;
  char *compiled;
  char *val;
  char *label;
  char *dispchar;
  int dispsize;
} newsd_pq_option;

// The functions that newsd calls, with the names of libpq.
typedef struct {
  newsd_pq_connection *(*PQconnectStartParams)(const char *const *keywords, const char *const *values, int expand);
  newsd_pq_option *(*PQconninfo)(newsd_pq_connection *);
  newsd_pq_option *(*PQconninfoParse)(const char *uri, char **error);
  void (*PQconninfoFree)(newsd_pq_option *);
  int (*PQconnectPoll)(newsd_pq_connection *);
  int (*PQstatus)(const newsd_pq_connection *);
  int (*PQtransactionStatus)(const newsd_pq_connection *);
  int (*PQsocket)(const newsd_pq_connection *);
  void (*PQfinish)(newsd_pq_connection *);
  char *(*PQerrorMessage)(const newsd_pq_connection *);
  int (*PQsetErrorVerbosity)(newsd_pq_connection *, int);
  int (*PQserverVersion)(const newsd_pq_connection *);
  newsd_pq_notice_processor (*PQsetNoticeProcessor)(newsd_pq_connection *, newsd_pq_notice_processor, void *context);
  newsd_pq_result *(*PQexec)(newsd_pq_connection *, const char *);
  newsd_pq_result *(*PQexecParams)(newsd_pq_connection *, const char *sql, int count, const unsigned int *types,
                                   const char *const *values, const int *lengths, const int *formats, int resultFormat);
  newsd_pq_result *(*PQprepare)(newsd_pq_connection *, const char *name, const char *sql, int count,
                                const unsigned int *types);
  newsd_pq_result *(*PQexecPrepared)(newsd_pq_connection *, const char *name, int count, const char *const *values,
                                     const int *lengths, const int *formats, int resultFormat);
  int (*PQsendQueryParams)(newsd_pq_connection *, const char *sql, int count, const unsigned int *types,
                           const char *const *values, const int *lengths, const int *formats, int resultFormat);
  int (*PQsendPrepare)(newsd_pq_connection *, const char *name, const char *sql, int count, const unsigned int *types);
  int (*PQsendQueryPrepared)(newsd_pq_connection *, const char *name, int count, const char *const *values,
                             const int *lengths, const int *formats, int resultFormat);
  int (*PQenterPipelineMode)(newsd_pq_connection *);
  int (*PQexitPipelineMode)(newsd_pq_connection *);
  int (*PQpipelineSync)(newsd_pq_connection *);
  int (*PQsetnonblocking)(newsd_pq_connection *, int);
  int (*PQflush)(newsd_pq_connection *);
  newsd_pq_result *(*PQgetResult)(newsd_pq_connection *);
  int (*PQresultStatus)(const newsd_pq_result *);
  char *(*PQresultErrorMessage)(const newsd_pq_result *);
  char *(*PQresultErrorField)(const newsd_pq_result *, int field);
  void (*PQclear)(newsd_pq_result *);
  int (*PQntuples)(const newsd_pq_result *);
  unsigned int (*PQftype)(const newsd_pq_result *, int column);
  char *(*PQgetvalue)(const newsd_pq_result *, int row, int column);
  int (*PQgetlength)(const newsd_pq_result *, int row, int column);
  int (*PQgetisnull)(const newsd_pq_result *, int row, int column);
  char *(*PQcmdTuples)(newsd_pq_result *);
  int (*PQconsumeInput)(newsd_pq_connection *);
  newsd_pq_notification *(*PQnotifies)(newsd_pq_connection *);
  void (*PQfreemem)(void *);
  int (*PQlibVersion)(void);
} newsd_pq;

static const int newsd_pq_connection_ok = 0;
static const int newsd_pq_transaction_idle = 0;
static const int newsd_pq_polling_failed = 0;
static const int newsd_pq_polling_reading = 1;
static const int newsd_pq_polling_writing = 2;
static const int newsd_pq_polling_ok = 3;
static const int newsd_pq_command_ok = 1;
static const int newsd_pq_tuples_ok = 2;
static const int newsd_pq_pipeline_sync = 10;
static const int newsd_pq_pipeline_aborted = 11;
static const int newsd_pq_errors_verbose = 2;
// The field code of an error's SQLSTATE.
static const int newsd_pq_sqlstate = 'C';
static const int newsd_pq_primary_message = 'M';

// Loads libpq. Returns 0 if the library or a function is missing.
static inline int newsd_pq_load(newsd_pq *table) {
  void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
  if (!library) return 0;
#define NEWSD_PQ_FIND(name) \
  table->name = (__typeof__(table->name))dlsym(library, #name); \
  if (!table->name) return 0;
  NEWSD_PQ_FIND(PQconnectStartParams)
  NEWSD_PQ_FIND(PQconninfo)
  NEWSD_PQ_FIND(PQconninfoParse)
  NEWSD_PQ_FIND(PQconninfoFree)
  NEWSD_PQ_FIND(PQconnectPoll)
  NEWSD_PQ_FIND(PQstatus)
  NEWSD_PQ_FIND(PQtransactionStatus)
  NEWSD_PQ_FIND(PQsocket)
  NEWSD_PQ_FIND(PQfinish)
  NEWSD_PQ_FIND(PQerrorMessage)
  NEWSD_PQ_FIND(PQsetErrorVerbosity)
  NEWSD_PQ_FIND(PQserverVersion)
  NEWSD_PQ_FIND(PQsetNoticeProcessor)
  NEWSD_PQ_FIND(PQexec)
  NEWSD_PQ_FIND(PQexecParams)
  NEWSD_PQ_FIND(PQprepare)
  NEWSD_PQ_FIND(PQexecPrepared)
  NEWSD_PQ_FIND(PQsendQueryParams)
  NEWSD_PQ_FIND(PQsendPrepare)
  NEWSD_PQ_FIND(PQsendQueryPrepared)
  NEWSD_PQ_FIND(PQenterPipelineMode)
  NEWSD_PQ_FIND(PQexitPipelineMode)
  NEWSD_PQ_FIND(PQpipelineSync)
  NEWSD_PQ_FIND(PQsetnonblocking)
  NEWSD_PQ_FIND(PQflush)
  NEWSD_PQ_FIND(PQgetResult)
  NEWSD_PQ_FIND(PQresultStatus)
  NEWSD_PQ_FIND(PQresultErrorMessage)
  NEWSD_PQ_FIND(PQresultErrorField)
  NEWSD_PQ_FIND(PQclear)
  NEWSD_PQ_FIND(PQntuples)
  NEWSD_PQ_FIND(PQftype)
  NEWSD_PQ_FIND(PQgetvalue)
  NEWSD_PQ_FIND(PQgetlength)
  NEWSD_PQ_FIND(PQgetisnull)
  NEWSD_PQ_FIND(PQcmdTuples)
  NEWSD_PQ_FIND(PQconsumeInput)
  NEWSD_PQ_FIND(PQnotifies)
  NEWSD_PQ_FIND(PQfreemem)
  NEWSD_PQ_FIND(PQlibVersion)
#undef NEWSD_PQ_FIND
  return 1;
}

#endif
