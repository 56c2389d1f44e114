/*
 * Counters of the responses with a verdict, for all workers, and the location that prints them in Prometheus' format.
 * Names and labels are the same as in edge/local/metrics, so that the same dashboard and alerts can be used.
 */

#include "ngx_http_cmcd_pace.h"

#define NGX_HTTP_CMCD_PACE_STATUS_FIRST  100
#define NGX_HTTP_CMCD_PACE_STATUSES      500
#define NGX_HTTP_CMCD_PACE_REFUSALS      (CMCD_RTP_DISAGREEING - CMCD_RTP_NOT_A_NUMBER + 1)

/* The reasons of _module.c, except refusals. */
static const ngx_str_t  ngx_http_cmcd_pace_reasons[] = {
    ngx_string("requested"),
    ngx_string("foreign-player"),
    ngx_string("floor"),
    ngx_string("ceiling"),
    ngx_string("no-rtp"),
    ngx_string("switched-off"),
    ngx_string("error-response"),
    ngx_string("not-client-socket"),
    ngx_string("platform-cannot-pace")
};

#define NGX_HTTP_CMCD_PACE_OTHERS   (sizeof(ngx_http_cmcd_pace_reasons) / sizeof(ngx_str_t))
#define NGX_HTTP_CMCD_PACE_REASONS  (NGX_HTTP_CMCD_PACE_OTHERS + NGX_HTTP_CMCD_PACE_REFUSALS)

/* The counters in shared memory. Arrays with two elements are indexed by whether the response was paced. */
typedef struct {
    ngx_atomic_t  responses[NGX_HTTP_CMCD_PACE_REASONS][NGX_HTTP_CMCD_PACE_STATUSES];
    ngx_atomic_t  body_bytes;
    ngx_atomic_t  complete_bytes[2];
    ngx_atomic_t  complete_ms[2];
    ngx_atomic_t  cut_by_client;
    ngx_atomic_t  cut_by_origin;
} ngx_http_cmcd_pace_counters_t;

static ngx_int_t ngx_http_cmcd_pace_metrics_handler(ngx_http_request_t *r);


/* Initializes the counters. After a reload, `data` has the counters of the previous configuration, which continue. */
static ngx_int_t
ngx_http_cmcd_pace_init_zone(ngx_shm_zone_t *zone, void *data)
{
    ngx_slab_pool_t  *pool = (ngx_slab_pool_t *) zone->shm.addr;

    if (data) {
        zone->data = data;
        return NGX_OK;
    }

    if (pool->data == NULL) {
        pool->data = ngx_slab_calloc(pool, sizeof(ngx_http_cmcd_pace_counters_t));
    }
    zone->data = pool->data;
    return zone->data ? NGX_OK : NGX_ERROR;
}


char *
ngx_http_cmcd_pace_metrics_directive(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_str_t                        name = ngx_string("cmcd_pace");
    ngx_http_core_loc_conf_t        *clcf = ngx_http_conf_get_module_loc_conf(cf, ngx_http_core_module);
    ngx_http_cmcd_pace_main_conf_t  *main = ngx_http_conf_get_module_main_conf(cf, ngx_http_cmcd_pace_module);

    clcf->handler = ngx_http_cmcd_pace_metrics_handler;

    main->zone = ngx_shared_memory_add(cf, &name, sizeof(ngx_http_cmcd_pace_counters_t) + 8 * ngx_pagesize,
                                       &ngx_http_cmcd_pace_module);
    if (main->zone == NULL) {
        return NGX_CONF_ERROR;
    }

    main->zone->init = ngx_http_cmcd_pace_init_zone;
    return NGX_CONF_OK;
}


static ngx_uint_t
ngx_http_cmcd_pace_reason_index(ngx_http_cmcd_pace_ctx_t *ctx)
{
    ngx_uint_t  i;

    for (i = 0; i < NGX_HTTP_CMCD_PACE_OTHERS; i++) {
        if (ctx->reason.len == ngx_http_cmcd_pace_reasons[i].len
            && ngx_strncmp(ctx->reason.data, ngx_http_cmcd_pace_reasons[i].data, ctx->reason.len) == 0)
        {
            return i;
        }
    }

    return NGX_HTTP_CMCD_PACE_OTHERS + ctx->rtp.kind - CMCD_RTP_NOT_A_NUMBER;
}


/* Counts a response after its end. */
ngx_int_t
ngx_http_cmcd_pace_count(ngx_http_request_t *r)
{
    off_t                            bytes;
    ngx_uint_t                       status, reason, paced;
    ngx_time_t                      *now;
    ngx_msec_int_t                   ms;
    ngx_http_core_loc_conf_t        *clcf;
    ngx_http_cmcd_pace_ctx_t        *ctx = ngx_http_get_module_ctx(r->main, ngx_http_cmcd_pace_module);
    ngx_http_cmcd_pace_counters_t   *counters;
    ngx_http_cmcd_pace_main_conf_t  *main = ngx_http_get_module_main_conf(r, ngx_http_cmcd_pace_module);

    if (main->zone == NULL || r != r->main || ctx == NULL || ctx->reason.len == 0) {
        return NGX_OK;
    }

    clcf = ngx_http_get_module_loc_conf(r, ngx_http_core_module);
    status = r->err_status ? r->err_status : r->headers_out.status;
    reason = ngx_http_cmcd_pace_reason_index(ctx);
    if (clcf->handler == ngx_http_cmcd_pace_metrics_handler || reason >= NGX_HTTP_CMCD_PACE_REASONS
        || status < NGX_HTTP_CMCD_PACE_STATUS_FIRST
        || status >= NGX_HTTP_CMCD_PACE_STATUS_FIRST + NGX_HTTP_CMCD_PACE_STATUSES)
    {
        return NGX_OK;
    }

    counters = main->zone->data;
    paced = ctx->pace > 0;
    bytes = ngx_max(r->connection->sent - (off_t) r->header_size, 0);

    ngx_atomic_fetch_add(&counters->responses[reason][status - NGX_HTTP_CMCD_PACE_STATUS_FIRST], 1);
    ngx_atomic_fetch_add(&counters->body_bytes, bytes);

    if (!r->request_complete) {
        ngx_atomic_fetch_add(r->connection->error || r->connection->timedout ? &counters->cut_by_client
                                                                             : &counters->cut_by_origin, 1);
        return NGX_OK;
    }

    now = ngx_timeofday();
    ms = (ngx_msec_int_t) ((now->sec - r->start_sec) * 1000 + ((ngx_msec_int_t) now->msec - (ngx_msec_int_t) r->start_msec));
    ngx_atomic_fetch_add(&counters->complete_bytes[paced], bytes);
    ngx_atomic_fetch_add(&counters->complete_ms[paced], ngx_max(ms, 0));
    return NGX_OK;
}


#define NGX_HTTP_CMCD_PACE_PREFIX  "dashjs_sammy_edge_"
/* The maximum length of a line of responses_total. */
#define NGX_HTTP_CMCD_PACE_LINE    128
/* The maximum length of all other lines together. */
#define NGX_HTTP_CMCD_PACE_REST    2048

#define NGX_HTTP_CMCD_PACE_FAMILY(name, help)                                                                         \
    "# HELP " NGX_HTTP_CMCD_PACE_PREFIX name " " help "\n# TYPE " NGX_HTTP_CMCD_PACE_PREFIX name " counter\n"

static u_char *
ngx_http_cmcd_pace_print(u_char *p, ngx_http_cmcd_pace_counters_t *counters)
{
    ngx_uint_t  reason, status, paced, ms;

    p = ngx_sprintf(p, NGX_HTTP_CMCD_PACE_FAMILY("responses_total", "Responses."));
    for (reason = 0; reason < NGX_HTTP_CMCD_PACE_REASONS; reason++) {
        for (status = 0; status < NGX_HTTP_CMCD_PACE_STATUSES; status++) {
            if (counters->responses[reason][status] == 0) {
                continue;
            }
            p = ngx_sprintf(p, NGX_HTTP_CMCD_PACE_PREFIX "responses_total{status=\"%ui\",reason=\"%s%s\"} %uA\n",
                            status + NGX_HTTP_CMCD_PACE_STATUS_FIRST,
                            reason < NGX_HTTP_CMCD_PACE_OTHERS ? "" : "refused:",
                            reason < NGX_HTTP_CMCD_PACE_OTHERS
                                ? (const char *) ngx_http_cmcd_pace_reasons[reason].data
                                : cmcd_rtp_refusal(CMCD_RTP_NOT_A_NUMBER + (reason - NGX_HTTP_CMCD_PACE_OTHERS)),
                            counters->responses[reason][status]);
        }
    }

    p = ngx_sprintf(p, NGX_HTTP_CMCD_PACE_FAMILY("body_bytes_total", "Body bytes handed to the kernel.")
                    NGX_HTTP_CMCD_PACE_PREFIX "body_bytes_total %uA\n", counters->body_bytes);

    p = ngx_sprintf(p, NGX_HTTP_CMCD_PACE_FAMILY("incomplete_responses_total", "Responses cut before their end.")
                    NGX_HTTP_CMCD_PACE_PREFIX "incomplete_responses_total{cut_by=\"client\"} %uA\n"
                    NGX_HTTP_CMCD_PACE_PREFIX "incomplete_responses_total{cut_by=\"origin\"} %uA\n",
                    counters->cut_by_client, counters->cut_by_origin);

    p = ngx_sprintf(p, NGX_HTTP_CMCD_PACE_FAMILY("complete_body_bytes_total", "Body bytes of complete responses."));
    for (paced = 0; paced < 2; paced++) {
        p = ngx_sprintf(p, NGX_HTTP_CMCD_PACE_PREFIX "complete_body_bytes_total{paced=\"%s\"} %uA\n",
                        paced ? "true" : "false", counters->complete_bytes[paced]);
    }

    p = ngx_sprintf(p, NGX_HTTP_CMCD_PACE_FAMILY("complete_response_seconds_total",
                                                 "Time from the requests of complete responses until nginx had handed "
                                                 "them to the kernel."));
    for (paced = 0; paced < 2; paced++) {
        ms = counters->complete_ms[paced];
        p = ngx_sprintf(p, NGX_HTTP_CMCD_PACE_PREFIX "complete_response_seconds_total{paced=\"%s\"} %ui.%03ui\n",
                        paced ? "true" : "false", ms / 1000, ms % 1000);
    }

    return p;
}


static ngx_int_t
ngx_http_cmcd_pace_metrics_handler(ngx_http_request_t *r)
{
    size_t                           length;
    ngx_int_t                        rc;
    ngx_buf_t                       *b;
    ngx_uint_t                       i;
    ngx_atomic_t                    *responses;
    ngx_chain_t                      out;
    ngx_http_cmcd_pace_counters_t   *counters;
    ngx_http_cmcd_pace_main_conf_t  *main = ngx_http_get_module_main_conf(r, ngx_http_cmcd_pace_module);

    if (!(r->method & (NGX_HTTP_GET|NGX_HTTP_HEAD))) {
        return NGX_HTTP_NOT_ALLOWED;
    }

    rc = ngx_http_discard_request_body(r);
    if (rc != NGX_OK) {
        return rc;
    }

    counters = main->zone->data;
    responses = &counters->responses[0][0];
    length = NGX_HTTP_CMCD_PACE_REST;
    for (i = 0; i < NGX_HTTP_CMCD_PACE_REASONS * NGX_HTTP_CMCD_PACE_STATUSES; i++) {
        length += responses[i] > 0 ? NGX_HTTP_CMCD_PACE_LINE : 0;
    }
    /* Reserve space for a few more lines, because other workers may count responses while this worker prints. */
    length += 64 * NGX_HTTP_CMCD_PACE_LINE;

    b = ngx_create_temp_buf(r->pool, length);
    if (b == NULL) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    b->last = ngx_http_cmcd_pace_print(b->last, counters);
    b->last_buf = 1;
    b->last_in_chain = 1;

    r->headers_out.status = NGX_HTTP_OK;
    r->headers_out.content_length_n = b->last - b->pos;
    ngx_str_set(&r->headers_out.content_type, "text/plain; version=0.0.4; charset=utf-8");
    r->headers_out.content_type_len = r->headers_out.content_type.len;
    r->headers_out.content_type_lowcase = NULL;

    rc = ngx_http_send_header(r);
    if (rc == NGX_ERROR || rc > NGX_OK || r->header_only) {
        return rc;
    }

    out.buf = b;
    out.next = NULL;
    return ngx_http_output_filter(r, &out);
}
