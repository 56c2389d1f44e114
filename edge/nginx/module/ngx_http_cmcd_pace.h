/* Declarations that the files of ngx_http_cmcd_pace_module share. */
#ifndef NGX_HTTP_CMCD_PACE_H
#define NGX_HTTP_CMCD_PACE_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "cmcd_rtp.h"

#if !(NGX_LINUX)
#error "ngx_http_cmcd_pace_module needs Linux: no other kernel has SO_MAX_PACING_RATE"
#endif

#if (nginx_version < 1017000)
#error "ngx_http_cmcd_pace_module needs nginx 1.17 or later; it is tested with 1.22 and 1.26"
#endif

/* The lowest pace of a socket: the smallest rtp that CMCD can express. edge/local has the same limit. */
#define NGX_HTTP_CMCD_PACE_LEAST_KBPS  100

/* The longest time for which a response is paced, ms. A segment takes seconds. edge/local has the same limit. */
#define NGX_HTTP_CMCD_PACE_LONGEST  120000

/* Bytes/s per kbit/s. */
#define NGX_HTTP_CMCD_PACE_BYTES_PER_KBIT  125

typedef struct {
    ngx_flag_t  enabled;    /* unset: this module ignores requests */
    ngx_flag_t  cors;
    ngx_uint_t  floor;      /* kbit/s; 0: none */
    ngx_uint_t  ceiling;    /* kbit/s; 0: none */
    ngx_flag_t  foreign;    /* whether players without the plug-in are paced */
    ngx_uint_t  foreign_floor;      /* kbit/s */
    ngx_str_t   paced_congestion;   /* TCP's congestion control; empty: the server's own */
    ngx_str_t   unpaced_congestion;
} ngx_http_cmcd_pace_conf_t;

typedef struct {
    ngx_shm_zone_t  *zone;  /* the counters of all workers; NULL without cmcd_pace_metrics */
} ngx_http_cmcd_pace_main_conf_t;

/* The module's data of a request: its rtp, and the settings of its response. Paces are kbit/s, 0 for none. */
typedef struct {
    cmcd_rtp_t  rtp;
    ngx_uint_t  pace;
    ngx_uint_t  socket_pace;
    ngx_str_t   reason;     /* empty without a verdict, and before the headers */
    ngx_str_t  *congestion; /* points into the configuration; NULL: the server's own */
    unsigned    preflight:1;
#if (NGX_HTTP_V3)
    ngx_msec_t  deadline;   /* when a pace over QUIC ends; 0: no pace */
    uint64_t    due_us;     /* the time at which the next byte is due */
    off_t       sent;       /* the number of sent bytes that due_us accounts for */
    size_t      operators_limit;    /* nginx's own limit, bytes/s; 0: none */
#endif
} ngx_http_cmcd_pace_ctx_t;

/* The rate limit of a stream on a shared connection, in percent of its pace. The additional 5% compensate for late
 * wake-ups of nginx. */
#define NGX_HTTP_CMCD_PACE_BESIDE     105

/* The buffer size for a congestion control's name: the kernel's TCP_CA_NAME_MAX. */
#define NGX_HTTP_CMCD_PACE_CC_LENGTH  16

/* The result of applying a response's pace to a socket. */
typedef enum {
    NGX_HTTP_CMCD_PACE_DONE,
    NGX_HTTP_CMCD_PACE_NOT_CLIENT_SOCKET,
    NGX_HTTP_CMCD_PACE_CANNOT
} ngx_http_cmcd_pace_result_e;

extern ngx_module_t  ngx_http_cmcd_pace_module;

/* _module.c: the module's data of a request; NULL on an error. */
ngx_http_cmcd_pace_ctx_t *ngx_http_cmcd_pace_ctx(ngx_http_request_t *r);

/* _variables.c: variables for logs and cache keys. */
ngx_int_t ngx_http_cmcd_pace_add_variables(ngx_conf_t *cf);

/* _request.c: reading the request. */
ngx_int_t ngx_http_cmcd_pace_read_rtp(ngx_http_request_t *r, cmcd_rtp_t *rtp);
ngx_int_t ngx_http_cmcd_pace_strip(ngx_pool_t *pool, const ngx_str_t *args, ngx_str_t *stripped);

/* _verdict.c: the pace and the reason of a response. */
ngx_int_t ngx_http_cmcd_pace_decide(ngx_http_request_t *r, ngx_http_cmcd_pace_conf_t *conf,
    ngx_http_cmcd_pace_ctx_t *ctx);

/* _client.c: the client's connection. */
ngx_connection_t *ngx_http_cmcd_pace_client(ngx_http_request_t *r);
ngx_uint_t ngx_http_cmcd_pace_is_shared(ngx_http_request_t *r);
ngx_uint_t ngx_http_cmcd_pace_is_clients(ngx_http_request_t *r);

/* _connection.c: the pace of a socket, and the responses that share it. */
ngx_int_t ngx_http_cmcd_pace_begin(ngx_http_request_t *r, ngx_http_cmcd_pace_ctx_t *ctx,
    ngx_http_cmcd_pace_result_e *result);
ngx_int_t ngx_http_cmcd_pace_release(ngx_http_request_t *r);

/* _limit.c: nginx's own rate limit. */
size_t ngx_http_cmcd_pace_operators_limit(ngx_http_request_t *r);
ngx_uint_t ngx_http_cmcd_pace_is_unbuffered(ngx_http_request_t *r);
void ngx_http_cmcd_pace_start_limit(ngx_http_request_t *r, ngx_uint_t pace);
ngx_int_t ngx_http_cmcd_pace_cut(ngx_http_request_t *r, size_t piece);
ngx_int_t ngx_http_cmcd_pace_cut_stream(ngx_http_request_t *r, ngx_uint_t pace);

#if (NGX_HTTP_V3)
/* _quic.c: the pace of a response over HTTP/3. */
ngx_uint_t ngx_http_cmcd_pace_is_quic(ngx_http_request_t *r);
ngx_connection_t *ngx_http_cmcd_pace_quic_client(ngx_http_request_t *r);
ngx_int_t ngx_http_cmcd_pace_quic_rtt(ngx_http_request_t *r, ngx_msec_t *rtt);
ngx_int_t ngx_http_cmcd_pace_quic_begin(ngx_http_request_t *r, ngx_http_cmcd_pace_ctx_t *ctx);
void ngx_http_cmcd_pace_quic_continue(ngx_http_request_t *r, ngx_http_cmcd_pace_ctx_t *ctx);
#endif

/* _congestion.c: TCP's congestion control. Names have at most NGX_HTTP_CMCD_PACE_CC_LENGTH bytes. */
char *ngx_http_cmcd_pace_congestion_directive(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);
ngx_int_t ngx_http_cmcd_pace_init_listening(ngx_cycle_t *cycle);
ngx_int_t ngx_http_cmcd_pace_get_congestion(ngx_socket_t fd, u_char *name, ngx_str_t *value);
/* Reads a one-line sysctl, without the line's end. Empty if it cannot be read. */
ngx_str_t ngx_http_cmcd_pace_sysctl(const char *name, u_char *room, size_t size);
ngx_int_t ngx_http_cmcd_pace_set_congestion(ngx_socket_t fd, const ngx_str_t *name, ngx_log_t *log);

/* _headers.c: writing the response's headers. */
ngx_int_t ngx_http_cmcd_pace_add_receipt(ngx_http_request_t *r, ngx_http_cmcd_pace_ctx_t *ctx);
ngx_int_t ngx_http_cmcd_pace_allow_any_page(ngx_http_request_t *r);
ngx_int_t ngx_http_cmcd_pace_answer_preflight(ngx_http_request_t *r);

/* _metrics.c: counters of all workers, and the location that prints them. */
char *ngx_http_cmcd_pace_metrics_directive(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);
ngx_int_t ngx_http_cmcd_pace_count(ngx_http_request_t *r);

#endif
