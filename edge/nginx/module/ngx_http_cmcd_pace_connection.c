/*
 * The pace of a client's socket, which is the sum of the paces of the responses in flight (edge/arbitration.ts), and
 * its congestion control. A response is in flight from before its first byte until the client's kernel has acknowledged
 * its last byte. An idle socket keeps its last pace, because nothing is sent on it before the next response begins.
 * _module.c calls it before each response's headers. This file must not depend on rtp or the settings.
 */

#include "ngx_http_cmcd_pace.h"

#include <linux/sockios.h>
#include <sys/ioctl.h>

#include "ngx_http_cmcd_pace_tcp.h"

#ifndef SO_MAX_PACING_RATE
#define SO_MAX_PACING_RATE  47
#endif

#ifndef TCP_NOTSENT_LOWAT
#define TCP_NOTSENT_LOWAT  25
#endif

/* A client that acknowledges nothing for this many ms counts as gone. */
#define NGX_HTTP_CMCD_PACE_PATIENCE   10000
#define NGX_HTTP_CMCD_PACE_POLL_MOST  100
#define NGX_HTTP_CMCD_PACE_POLL_LEAST 5
/*
 * The limit of unsent data in the kernel per HTTP/2 connection: 128 KiB, or the data of 50 ms at the pace, if more.
 * A new response waits behind this data. nginx must run again within these 50 ms, or the socket runs empty.
 */
#define NGX_HTTP_CMCD_PACE_UNSENT     (128 * 1024)
#define NGX_HTTP_CMCD_PACE_UNSENT_MS  50
/*
 * The same limit for HTTP/1.1: 128 KiB, or the data of 10 s. Without it, the kernel could take 4 MB at once, and nothing
 * more for minutes at a low pace, so that nginx would end the response (send_timeout).
 */
#define NGX_HTTP_CMCD_PACE_ALONE_MS   10000
/* The maximum number of finished responses whose end is not acknowledged yet. Beyond it, the oldest counts as
 * delivered. */
#define NGX_HTTP_CMCD_PACE_FINISHED   128

/* `delivered_at` of an HTTP/1.1 response, which counts as delivered when the connection's next request arrives. */
#define NGX_HTTP_CMCD_PACE_NEXT       ((uint64_t) -1)

typedef struct {
    ngx_connection_t    *client;
    ngx_event_t          timer;
    ngx_queue_t          shares;    /* the responses in flight, oldest first */
    ngx_queue_t          unused;
    ngx_uint_t           finished;
    ngx_uint_t           shared;    /* whether it is an HTTP/2 connection */
    uint32_t             unsent;    /* the value of TCP_NOTSENT_LOWAT; 0: the system's */
    ngx_uint_t           applied;   /* the pace of the socket, kbit/s; 0: none */
    ngx_str_t            own;       /* the initial congestion control; empty: unknown */
    u_char               own_name[NGX_HTTP_CMCD_PACE_CC_LENGTH];
    ngx_str_t           *congestion;    /* the present congestion control; NULL: the initial one */
    uint64_t             acked;
    ngx_msec_t           progress;  /* the time at which `acked` last grew */
} ngx_http_cmcd_pace_socket_t;

typedef struct {
    ngx_queue_t                   queue;
    ngx_http_cmcd_pace_socket_t  *socket;
    ngx_http_request_t           *request;        /* NULL after the response has finished */
    ngx_uint_t                    pace;           /* kbit/s; 0: unpaced */
    ngx_str_t                    *congestion;     /* NULL: the server's own */
    ngx_msec_t                    deadline;
    ngx_uint_t                    unbuffered;     /* whether nginx's rate limit must not be used */
    size_t                        limit_rate;     /* the operator's limit, bytes/s; 0: none */
    uint64_t                      delivered_at;   /* the value of `acked` at which the client has the response */
} ngx_http_cmcd_pace_share_t;


/* Returns the operator's limit of unsent data (the sysctl tcp_notsent_lowat); by default, there is no limit. */
static ngx_uint_t
ngx_http_cmcd_pace_system_unsent(void)
{
    u_char             room[NGX_INT64_LEN + 1];
    ngx_int_t          number;
    ngx_str_t          text;
    static ngx_uint_t  unsent;

    if (unsent == 0) {
        text = ngx_http_cmcd_pace_sysctl("net.ipv4.tcp_notsent_lowat", room, sizeof(room));
        number = ngx_atoi(text.data, text.len);
        unsent = number > 0 ? (ngx_uint_t) number : NGX_MAX_UINT32_VALUE;
    }

    return unsent;
}


static void
ngx_http_cmcd_pace_set_unsent(ngx_http_cmcd_pace_socket_t *socket, ngx_uint_t pace)
{
    ngx_uint_t  ms = socket->shared ? NGX_HTTP_CMCD_PACE_UNSENT_MS : NGX_HTTP_CMCD_PACE_ALONE_MS;
    ngx_uint_t  unsent = pace * NGX_HTTP_CMCD_PACE_BYTES_PER_KBIT / 1000 * ms;
    uint32_t    most = (uint32_t) ngx_min(ngx_max(unsent, NGX_HTTP_CMCD_PACE_UNSENT), NGX_MAX_INT32_VALUE);

    /* 0 means the system's limit. */
    if (!socket->shared && (pace == 0 || most >= ngx_http_cmcd_pace_system_unsent())) {
        most = 0;
    }
    if (most == socket->unsent) {
        return;
    }

    if (setsockopt(socket->client->fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &most, sizeof(most)) == -1) {
        ngx_log_error(NGX_LOG_INFO, socket->client->log, ngx_socket_errno,
                      "setsockopt(TCP_NOTSENT_LOWAT) failed");
    }
    socket->unsent = most;
}


static ngx_int_t
ngx_http_cmcd_pace_set(ngx_http_cmcd_pace_socket_t *socket, ngx_uint_t pace)
{
    /* ~0UL removes the limit (the kernel's sk_setsockopt). */
    unsigned long  rate = pace ? pace * NGX_HTTP_CMCD_PACE_BYTES_PER_KBIT : ~0UL;

    if (setsockopt(socket->client->fd, SOL_SOCKET, SO_MAX_PACING_RATE, &rate, sizeof(rate)) == -1) {
        ngx_log_error(NGX_LOG_INFO, socket->client->log, ngx_socket_errno,
                      "setsockopt(SO_MAX_PACING_RATE) failed");
        return NGX_ERROR;
    }

    socket->applied = pace;
    ngx_http_cmcd_pace_set_unsent(socket, pace);
    return NGX_OK;
}


static ngx_str_t *
ngx_http_cmcd_pace_name(ngx_http_cmcd_pace_socket_t *socket, ngx_str_t *congestion)
{
    return congestion ? congestion : &socket->own;
}


/*
 * Sets the congestion control, unless it is already set. If the kernel refuses, the socket keeps the old congestion
 * control.
 */
static void
ngx_http_cmcd_pace_control(ngx_http_cmcd_pace_socket_t *socket, ngx_str_t *congestion)
{
    ngx_str_t  *name = ngx_http_cmcd_pace_name(socket, congestion);
    ngx_str_t  *before = ngx_http_cmcd_pace_name(socket, socket->congestion);

    if (name->len == 0
        || (name->len == before->len && ngx_strncmp(name->data, before->data, name->len) == 0)
        || ngx_http_cmcd_pace_set_congestion(socket->client->fd, name, socket->client->log) == NGX_OK)
    {
        socket->congestion = congestion;
    }
}


/*
 * Limits each stream to its pace. Without limits, nginx gives all streams of a connection equal parts. With the limit,
 * each stream gets its own part of the sum, and is at most one second's worth of data ahead. After each piece, nginx
 * waits for the piece's duration and does not compensate for late wake-ups, so 5% are added. A single stream needs no
 * limit, because the socket has its pace.
 */
static void
ngx_http_cmcd_pace_limit(ngx_http_cmcd_pace_socket_t *socket)
{
    size_t                       rate;
    ngx_uint_t                   several;
    ngx_queue_t                 *q;
    ngx_http_cmcd_pace_share_t  *share;

    several = ngx_queue_head(&socket->shares) != ngx_queue_last(&socket->shares);

    for (q = ngx_queue_head(&socket->shares); q != ngx_queue_sentinel(&socket->shares); q = ngx_queue_next(q)) {
        share = ngx_queue_data(q, ngx_http_cmcd_pace_share_t, queue);
        if (share->request == NULL || !ngx_http_cmcd_pace_is_shared(share->request) || share->unbuffered) {
            continue;
        }

        rate = several ? share->pace * NGX_HTTP_CMCD_PACE_BYTES_PER_KBIT * NGX_HTTP_CMCD_PACE_BESIDE / 100 : 0;
        if (rate == 0 || (share->limit_rate && share->limit_rate < rate)) {
            rate = share->limit_rate;
        }
        share->request->limit_rate = rate;
    }
}


/*
 * Sets the socket's pace to the sum of the paces of its responses, and its congestion control to that of the newest
 * response. While an unpaced response is in flight, the socket is unpaced and has this response's congestion control. A
 * socket without responses keeps its settings.
 */
static ngx_int_t
ngx_http_cmcd_pace_apply(ngx_http_cmcd_pace_socket_t *socket)
{
    ngx_uint_t                   sum = 0;
    ngx_queue_t                 *q;
    ngx_http_cmcd_pace_share_t  *share;

    if (ngx_queue_empty(&socket->shares)) {
        return NGX_OK;
    }

    share = NULL;
    for (q = ngx_queue_last(&socket->shares); q != ngx_queue_sentinel(&socket->shares); q = ngx_queue_prev(q)) {
        share = ngx_queue_data(q, ngx_http_cmcd_pace_share_t, queue);
        if (share->pace == 0) {
            sum = 0;
            break;
        }
        sum += share->pace;
    }

    if (sum > 0) {
        share = ngx_queue_data(ngx_queue_last(&socket->shares), ngx_http_cmcd_pace_share_t, queue);
    }
    ngx_http_cmcd_pace_control(socket, share->congestion);
    ngx_http_cmcd_pace_limit(socket);

    return sum == socket->applied ? NGX_OK : ngx_http_cmcd_pace_set(socket, sum);
}


static void
ngx_http_cmcd_pace_drop(ngx_http_cmcd_pace_share_t *share)
{
    if (share->request == NULL) {
        share->socket->finished--;
    }
    ngx_queue_remove(&share->queue);
    ngx_queue_insert_head(&share->socket->unused, &share->queue);
}


static ngx_uint_t
ngx_http_cmcd_pace_is_over(ngx_msec_t time)
{
    return (ngx_msec_int_t) (time - ngx_current_msec) <= 0;
}


/* Reads the number of bytes that the client's kernel has acknowledged. If it is not available, all bytes count as
 * acknowledged. */
static void
ngx_http_cmcd_pace_ask_acked(ngx_http_cmcd_pace_socket_t *socket)
{
    uint64_t                       before = socket->acked;
    ngx_http_cmcd_pace_tcp_info_t  info;

    if (ngx_http_cmcd_pace_tcp_info(socket->client->fd, &info) != NGX_OK) {
        socket->acked = (uint64_t) -1;
        return;
    }

    socket->acked = info.bytes_acked;
    if (socket->acked != before) {
        socket->progress = ngx_current_msec;
    }
}


/*
 * Removes delivered responses, and the paces of responses that have lasted too long. Returns the time until the next
 * check, ms; 0 for no check.
 */
static ngx_msec_t
ngx_http_cmcd_pace_look(ngx_http_cmcd_pace_socket_t *socket)
{
    uint64_t                     left;
    ngx_msec_t                   wait, next = 0;
    ngx_queue_t                 *q, *following;
    ngx_http_cmcd_pace_share_t  *share;

    if (socket->finished > 0) {
        ngx_http_cmcd_pace_ask_acked(socket);
    }

    for (q = ngx_queue_head(&socket->shares); q != ngx_queue_sentinel(&socket->shares); q = following) {
        following = ngx_queue_next(q);
        share = ngx_queue_data(q, ngx_http_cmcd_pace_share_t, queue);

        if (share->pace && ngx_http_cmcd_pace_is_over(share->deadline)) {
            /* Continue unpaced, so that a very low pace does not keep files open for long. */
            share->pace = 0;
        }

        if (share->request || share->delivered_at == NGX_HTTP_CMCD_PACE_NEXT) {
            wait = share->pace ? share->deadline - ngx_current_msec : 0;

        } else if (socket->acked >= share->delivered_at
                   || ngx_http_cmcd_pace_is_over(socket->progress + NGX_HTTP_CMCD_PACE_PATIENCE))
        {
            ngx_http_cmcd_pace_drop(share);
            continue;

        } else {
            left = share->delivered_at - socket->acked;
            wait = socket->applied
                   ? (ngx_msec_t) (left * 1000 / (socket->applied * NGX_HTTP_CMCD_PACE_BYTES_PER_KBIT)) : 0;
            wait = ngx_max(wait, NGX_HTTP_CMCD_PACE_POLL_LEAST);
            wait = ngx_min(wait, NGX_HTTP_CMCD_PACE_POLL_MOST);
        }

        if (wait && (next == 0 || wait < next)) {
            next = wait;
        }
    }

    return next;
}


static void
ngx_http_cmcd_pace_schedule(ngx_http_cmcd_pace_socket_t *socket, ngx_msec_t next)
{
    if (socket->timer.timer_set) {
        ngx_del_timer(&socket->timer);
    }
    if (next) {
        ngx_add_timer(&socket->timer, next);
    }
}


static void
ngx_http_cmcd_pace_closed(void *data)
{
    ngx_http_cmcd_pace_socket_t  *socket = data;

    if (socket->timer.timer_set) {
        ngx_del_timer(&socket->timer);
    }
}


/* Returns this module's data of a connection; NULL if there is none. */
static ngx_http_cmcd_pace_socket_t *
ngx_http_cmcd_pace_find(ngx_connection_t *client)
{
    ngx_pool_cleanup_t  *cleanup;

    for (cleanup = client->pool->cleanup; cleanup; cleanup = cleanup->next) {
        if (cleanup->handler == ngx_http_cmcd_pace_closed) {
            return cleanup->data;
        }
    }

    return NULL;
}


static void
ngx_http_cmcd_pace_timer(ngx_event_t *event)
{
    ngx_msec_t                    next;
    ngx_http_cmcd_pace_socket_t  *socket;

    socket = ngx_http_cmcd_pace_find(event->data);
    if (socket == NULL) {
        return;
    }

    next = ngx_http_cmcd_pace_look(socket);
    (void) ngx_http_cmcd_pace_apply(socket);
    ngx_http_cmcd_pace_schedule(socket, next);
}


static ngx_http_cmcd_pace_socket_t *
ngx_http_cmcd_pace_open(ngx_connection_t *client, ngx_uint_t shared)
{
    ngx_pool_cleanup_t           *cleanup;
    ngx_http_cmcd_pace_socket_t  *socket;

    cleanup = ngx_pool_cleanup_add(client->pool, sizeof(ngx_http_cmcd_pace_socket_t));
    if (cleanup == NULL) {
        return NULL;
    }

    socket = cleanup->data;
    ngx_memzero(socket, sizeof(*socket));
    cleanup->handler = ngx_http_cmcd_pace_closed;

    socket->client = client;
    (void) ngx_http_cmcd_pace_get_congestion(client->fd, socket->own_name, &socket->own);
    ngx_queue_init(&socket->shares);
    ngx_queue_init(&socket->unused);
    /* `data` is a connection because nginx's debug log expects a connection. The timer is cancelable, so that it does not
     * prevent a worker from ending. */
    socket->timer.data = client;
    socket->timer.handler = ngx_http_cmcd_pace_timer;
    socket->timer.log = client->log;
    socket->timer.cancelable = 1;

    socket->shared = shared;
    ngx_http_cmcd_pace_set_unsent(socket, 0);

    return socket;
}


/* Called when nginx has passed the last byte to the kernel, or has aborted the response. */
static void
ngx_http_cmcd_pace_finished(void *data)
{
    int                           queued;
    ngx_http_cmcd_pace_share_t   *share = data;
    ngx_http_cmcd_pace_socket_t  *socket = share->socket;

    if (!ngx_http_cmcd_pace_is_shared(share->request)) {
        /* The connection's next request, if any, sets the pace again. */
        share->request = NULL;
        share->delivered_at = NGX_HTTP_CMCD_PACE_NEXT;
        socket->finished++;
        return;
    }

    share->request = NULL;
    socket->finished++;

    ngx_http_cmcd_pace_ask_acked(socket);
    socket->progress = ngx_current_msec;
    if (ioctl(socket->client->fd, SIOCOUTQ, &queued) == -1) {
        queued = 0;
    }
    share->delivered_at = socket->acked + (uint64_t) queued;

    /* Update the socket later, from the event loop, so that nothing is sent while its streams are being closed. */
    ngx_http_cmcd_pace_schedule(socket, NGX_HTTP_CMCD_PACE_POLL_LEAST);
}


/* Removes finished responses, the oldest first, until `left` remain. */
static void
ngx_http_cmcd_pace_drop_finished(ngx_http_cmcd_pace_socket_t *socket, ngx_uint_t left)
{
    ngx_queue_t                 *q;
    ngx_http_cmcd_pace_share_t  *share;

    for (q = ngx_queue_head(&socket->shares);
         socket->finished > left && q != ngx_queue_sentinel(&socket->shares); )
    {
        share = ngx_queue_data(q, ngx_http_cmcd_pace_share_t, queue);
        q = ngx_queue_next(q);
        if (share->request == NULL) {
            ngx_http_cmcd_pace_drop(share);
        }
    }
}


static ngx_http_cmcd_pace_share_t *
ngx_http_cmcd_pace_new_share(ngx_http_cmcd_pace_socket_t *socket)
{
    ngx_queue_t  *q;

    ngx_http_cmcd_pace_drop_finished(socket, NGX_HTTP_CMCD_PACE_FINISHED);

    if (!ngx_queue_empty(&socket->unused)) {
        q = ngx_queue_head(&socket->unused);
        ngx_queue_remove(q);
        return ngx_queue_data(q, ngx_http_cmcd_pace_share_t, queue);
    }

    return ngx_palloc(socket->client->pool, sizeof(ngx_http_cmcd_pace_share_t));
}


static ngx_int_t
ngx_http_cmcd_pace_share(ngx_http_request_t *r, ngx_http_cmcd_pace_socket_t *socket, ngx_uint_t pace,
    ngx_str_t *congestion, ngx_uint_t *granted)
{
    ngx_msec_t                   next;
    ngx_pool_cleanup_t          *cleanup;
    ngx_http_cmcd_pace_share_t  *share;

    (void) ngx_http_cmcd_pace_look(socket);
    if (!ngx_http_cmcd_pace_is_shared(r)) {
        ngx_http_cmcd_pace_drop_finished(socket, 0);
    }

    cleanup = ngx_pool_cleanup_add(r->pool, 0);
    share = cleanup ? ngx_http_cmcd_pace_new_share(socket) : NULL;
    if (share == NULL) {
        return NGX_ERROR;
    }
    if (ngx_http_cmcd_pace_is_shared(r) && ngx_http_cmcd_pace_cut_stream(r, pace) != NGX_OK) {
        ngx_queue_insert_head(&socket->unused, &share->queue);
        return NGX_ERROR;
    }

    share->socket = socket;
    share->request = r;
    share->pace = pace;
    share->congestion = congestion;
    share->unbuffered = ngx_http_cmcd_pace_is_unbuffered(r);
    share->deadline = ngx_current_msec + NGX_HTTP_CMCD_PACE_LONGEST;
    share->limit_rate = ngx_http_cmcd_pace_operators_limit(r);
    share->delivered_at = 0;
    if (ngx_http_cmcd_pace_is_shared(r)) {
        ngx_http_cmcd_pace_start_limit(r, pace);
    }
    ngx_queue_insert_tail(&socket->shares, &share->queue);
    cleanup->data = share;
    cleanup->handler = ngx_http_cmcd_pace_finished;

    if (ngx_http_cmcd_pace_apply(socket) != NGX_OK) {
        share->pace = 0;
    }
    next = ngx_http_cmcd_pace_look(socket);
    ngx_http_cmcd_pace_schedule(socket, next);
    *granted = share->pace;
    return NGX_OK;
}


ngx_int_t
ngx_http_cmcd_pace_begin(ngx_http_request_t *r, ngx_http_cmcd_pace_ctx_t *ctx,
    ngx_http_cmcd_pace_result_e *result)
{
    ngx_uint_t                    granted, shared = ngx_http_cmcd_pace_is_shared(r);
    ngx_connection_t             *client = ngx_http_cmcd_pace_client(r);
    ngx_http_cmcd_pace_socket_t  *socket;

    *result = NGX_HTTP_CMCD_PACE_DONE;

    socket = ngx_http_cmcd_pace_find(client);

    if (!ngx_http_cmcd_pace_is_clients(r)) {
        *result = NGX_HTTP_CMCD_PACE_NOT_CLIENT_SOCKET;
        return socket ? ngx_http_cmcd_pace_share(r, socket, 0, NULL, &granted) : NGX_OK;
    }

    if (socket == NULL) {
        if (ctx->pace == 0 && ctx->congestion == NULL && !shared) {
            return NGX_OK;
        }
        socket = ngx_http_cmcd_pace_open(client, shared);
        if (socket == NULL) {
            return NGX_ERROR;
        }
    }

    if (ngx_http_cmcd_pace_share(r, socket, ctx->pace, ctx->congestion, &granted) != NGX_OK) {
        return NGX_ERROR;
    }

    if (granted != ctx->pace) {
        *result = NGX_HTTP_CMCD_PACE_CANNOT;
    }
    ctx->socket_pace = socket->applied;
    return NGX_OK;
}


/* Removes the pace for a response without a verdict, so that an earlier response's pace does not apply. */
ngx_int_t
ngx_http_cmcd_pace_release(ngx_http_request_t *r)
{
    ngx_uint_t                    granted;
    ngx_http_cmcd_pace_socket_t  *socket;

    socket = ngx_http_cmcd_pace_find(ngx_http_cmcd_pace_client(r));
    return socket ? ngx_http_cmcd_pace_share(r, socket, 0, NULL, &granted) : NGX_OK;
}
