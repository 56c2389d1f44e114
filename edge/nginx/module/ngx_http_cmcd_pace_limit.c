/*
 * nginx's own rate limit of a response, and the size of the pieces in which nginx sends it. _connection.c limits the
 * streams of an HTTP/2 connection with it, and _quic.c the responses over HTTP/3. This file must not depend on sockets
 * or other responses.
 */

#include "ngx_http_cmcd_pace.h"

/* The piece that a stream adds to nginx's queue at once: 16 KiB, or the data of 100 ms at the pace, if more. */
#define NGX_HTTP_CMCD_PACE_PIECE      (16 * 1024)
#define NGX_HTTP_CMCD_PACE_PIECE_MS   100


/* Returns the rate of the directive limit_rate or of an origin's X-Accel-Limit-Rate, bytes/s; 0 for none. */
size_t
ngx_http_cmcd_pace_operators_limit(ngx_http_request_t *r)
{
    ngx_http_core_loc_conf_t  *clcf;

    if (!r->limit_rate_set) {
        clcf = ngx_http_get_module_loc_conf(r, ngx_http_core_module);
        r->limit_rate = ngx_http_complex_value_size(r, clcf->limit_rate, 0);
        r->limit_rate_set = 1;
    }

    return r->limit_rate;
}


/*
 * Whether nginx passes the origin's bytes on as they arrive (proxy_buffering off). With a rate limit, such a response
 * would hang. A response from a file (X-Accel-Redirect) or from the cache still has r->upstream, but without a
 * connection, and is buffered. Call this before the first byte.
 */
ngx_uint_t
ngx_http_cmcd_pace_is_unbuffered(ngx_http_request_t *r)
{
    return r->upstream && !r->upstream->buffering && r->upstream->peer.connection != NULL && !r->cached;
}


/*
 * Makes nginx's rate limit start now. nginx multiplies the rate by the number of calendar seconds since the request
 * arrived, including the present second, which allows up to two seconds' worth of data too much. The part for the
 * elapsed time is therefore counted as already sent, so that at most one second's worth is too much.
 */
void
ngx_http_cmcd_pace_start_limit(ngx_http_request_t *r, ngx_uint_t pace)
{
    uint64_t     passed;
    ngx_time_t  *now = ngx_timeofday();

    if (pace == 0 || ngx_http_cmcd_pace_operators_limit(r) || r->limit_rate_after_set
        || sizeof(size_t) < sizeof(off_t))
    {
        return;
    }

    passed = (uint64_t) ngx_max(now->sec - r->start_sec, 0) * 1000 + now->msec;
    /* nginx subtracts limit_rate_after from the sent bytes. With 64-bit integers, subtracting a negated number adds the number.
     */
    r->limit_rate_after = (size_t) 0 - (size_t) (pace * NGX_HTTP_CMCD_PACE_BYTES_PER_KBIT
                                                 * NGX_HTTP_CMCD_PACE_BESIDE / 100 * passed / 1000);
    r->limit_rate_after_set = 1;
}


/*
 * Makes a response send at most `piece` bytes at once, like the directive sendfile_max_chunk. The request gets a copy
 * of its location's settings, because all requests share the original.
 */
ngx_int_t
ngx_http_cmcd_pace_cut(ngx_http_request_t *r, size_t piece)
{
    void                     **loc_conf;
    ngx_http_core_loc_conf_t  *clcf, *copy;

    clcf = ngx_http_get_module_loc_conf(r, ngx_http_core_module);
    if (clcf->sendfile_max_chunk == piece) {
        return NGX_OK;
    }

    loc_conf = ngx_palloc(r->pool, sizeof(void *) * ngx_http_max_module);
    copy = ngx_palloc(r->pool, sizeof(ngx_http_core_loc_conf_t));
    if (loc_conf == NULL || copy == NULL) {
        return NGX_ERROR;
    }

    ngx_memcpy(loc_conf, r->loc_conf, sizeof(void *) * ngx_http_max_module);
    *copy = *clcf;
    copy->sendfile_max_chunk = piece;
    loc_conf[ngx_http_core_module.ctx_index] = copy;
    r->loc_conf = loc_conf;
    return NGX_OK;
}


/*
 * Makes an HTTP/2 stream send in small pieces. Otherwise, nginx would add everything that the stream's limit allows to
 * its queue at once, and other streams would wait behind all of that.
 */
ngx_int_t
ngx_http_cmcd_pace_cut_stream(ngx_http_request_t *r, ngx_uint_t pace)
{
    size_t                     piece = pace * NGX_HTTP_CMCD_PACE_BYTES_PER_KBIT / 1000 * NGX_HTTP_CMCD_PACE_PIECE_MS;
    ngx_http_core_loc_conf_t  *clcf = ngx_http_get_module_loc_conf(r, ngx_http_core_module);

    piece = ngx_max(piece, NGX_HTTP_CMCD_PACE_PIECE);
    if (pace == 0 || (clcf->sendfile_max_chunk && clcf->sendfile_max_chunk <= piece)) {
        return NGX_OK;
    }
    return ngx_http_cmcd_pace_cut(r, piece);
}
