/*
 * The pace of a response over HTTP/3. nginx itself sends QUIC's packets, without the kernel's TCP, so there is no
 * socket to pace. Instead, nginx's own rate limit delays the response, in small, frequent pieces. Every stream has its
 * own pace, regardless of other streams on its connection.
 */

#include "ngx_http_cmcd_pace.h"

#if (NGX_HTTP_V3)

#include <ngx_event_quic_connection.h>

/*
 * The piece that is sent at once: the data of this many ms at the pace (at 20 Mbit/s, 20 kB), but at least this
 * many bytes.
 */
#define NGX_HTTP_CMCD_PACE_QUIC_PIECE_MS  8
#define NGX_HTTP_CMCD_PACE_QUIC_PIECE     4096
/*
 * A piece that is later than this many ms was delayed by the network. As in the kernel's pacing, no burst compensates
 * for such a delay. Shorter delays come from a busy worker, or from timers, which count whole ms, and are compensated.
 */
#define NGX_HTTP_CMCD_PACE_QUIC_LATE_MS   50


ngx_uint_t
ngx_http_cmcd_pace_is_quic(ngx_http_request_t *r)
{
    return r->connection->quic != NULL;
}


ngx_connection_t *
ngx_http_cmcd_pace_quic_client(ngx_http_request_t *r)
{
    return r->connection->quic->parent;
}


/* Reads QUIC's own estimate of the round-trip time, ms. Returns NGX_DECLINED before the first sample. */
ngx_int_t
ngx_http_cmcd_pace_quic_rtt(ngx_http_request_t *r, ngx_msec_t *rtt)
{
    ngx_quic_connection_t  *quic = ngx_quic_get_connection(ngx_http_cmcd_pace_quic_client(r));

    if (quic == NULL || quic->first_rtt == NGX_TIMER_INFINITE) {
        return NGX_DECLINED;
    }

    *rtt = quic->avg_rtt;
    return NGX_OK;
}


/* Begins to limit a response to ctx->pace; without a pace, the response is unaffected. */
ngx_int_t
ngx_http_cmcd_pace_quic_begin(ngx_http_request_t *r, ngx_http_cmcd_pace_ctx_t *ctx)
{
    ngx_uint_t  rate = ctx->pace * NGX_HTTP_CMCD_PACE_BYTES_PER_KBIT;
    ngx_uint_t  piece = rate * NGX_HTTP_CMCD_PACE_QUIC_PIECE_MS / 1000;

    ctx->socket_pace = ctx->pace;
    if (ctx->pace == 0) {
        return NGX_OK;
    }

    ctx->operators_limit = ngx_http_cmcd_pace_operators_limit(r);
    ctx->deadline = ngx_current_msec + NGX_HTTP_CMCD_PACE_LONGEST;
    ctx->due_us = (uint64_t) ngx_current_msec * 1000;
    ctx->sent = r->connection->sent;
    return ngx_http_cmcd_pace_cut(r, ngx_max(piece, NGX_HTTP_CMCD_PACE_QUIC_PIECE));
}


/*
 * Called before nginx writes a piece. After a piece, nginx waits for its bytes divided by r->limit_rate. This function
 * chooses the rate so that the wait ends when the next piece is due, which compensates for a late timer.
 */
void
ngx_http_cmcd_pace_quic_continue(ngx_http_request_t *r, ngx_http_cmcd_pace_ctx_t *ctx)
{
    size_t                     piece;
    uint64_t                   now_us = (uint64_t) ngx_current_msec * 1000, rate, next_us, wait_ms;
    ngx_http_core_loc_conf_t  *clcf;

    if (!ngx_http_cmcd_pace_is_quic(r) || ctx->deadline == 0) {
        return;
    }

    if ((ngx_msec_int_t) (ctx->deadline - ngx_current_msec) <= 0) {
        /* Continue unpaced, so that a very low pace does not keep its files open for long. */
        ctx->deadline = 0;
        r->limit_rate = ctx->operators_limit;
        r->limit_rate_after = ctx->sent;
        return;
    }

    rate = (uint64_t) ctx->pace * NGX_HTTP_CMCD_PACE_BYTES_PER_KBIT;
    ctx->due_us += (uint64_t) (r->connection->sent - ctx->sent) * 1000000 / rate;
    ctx->sent = r->connection->sent;

    if (now_us > ctx->due_us + NGX_HTTP_CMCD_PACE_QUIC_LATE_MS * 1000) {
        ctx->due_us = now_us;
    }

    clcf = ngx_http_get_module_loc_conf(r, ngx_http_core_module);
    piece = clcf->sendfile_max_chunk;
    next_us = ctx->due_us + (uint64_t) piece * 1000000 / rate;
    wait_ms = next_us > now_us ? (next_us - now_us + 999) / 1000 : 1;
    r->limit_rate = (size_t) ((uint64_t) piece * 1000 / wait_ms);
    /* Exempt the bytes sent so far, so that nginx's limit only causes the wait after the next piece. */
    r->limit_rate_after = r->connection->sent;
    r->limit_rate_after_set = 1;
}

#endif
