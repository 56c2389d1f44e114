/*
 * Decides the pace and the reason of a response, from the request's rtp, the location's settings and nginx's own limit.
 * _module.c calls it before the response's headers. This file must not depend on sockets. edge/policy.ts has the same
 * rules and their reasons; edge/cases.json tests both implementations.
 */

#include "ngx_http_cmcd_pace.h"


static ngx_int_t
ngx_http_cmcd_pace_refuse(ngx_http_request_t *r, ngx_http_cmcd_pace_ctx_t *ctx)
{
    u_char      *p;
    const char  *refusal = cmcd_rtp_refusal(ctx->rtp.kind);

    p = ngx_pnalloc(r->pool, sizeof("refused:") - 1 + ngx_strlen(refusal));
    if (p == NULL) {
        return NGX_ERROR;
    }

    ctx->reason.data = p;
    p = ngx_cpymem(p, "refused:", sizeof("refused:") - 1);
    p = ngx_cpymem(p, refusal, ngx_strlen(refusal));
    ctx->reason.len = p - ctx->reason.data;
    return NGX_OK;
}


/* Whether limit_rate_after exempts the first part of a response from the limit. */
static ngx_uint_t
ngx_http_cmcd_pace_begins_unlimited(ngx_http_request_t *r)
{
    ngx_http_core_loc_conf_t  *clcf = ngx_http_get_module_loc_conf(r, ngx_http_core_module);

#if (NGX_HTTP_V3)
    /* With QUIC, this module replaces limit_rate_after, so its limit applies from the first byte. */
    if (ngx_http_cmcd_pace_is_quic(r)) {
        return 0;
    }
#endif
    return (r->limit_rate_after_set ? r->limit_rate_after
                                    : ngx_http_complex_value_size(r, clcf->limit_rate_after, 0)) > 0;
}


ngx_int_t
ngx_http_cmcd_pace_decide(ngx_http_request_t *r, ngx_http_cmcd_pace_conf_t *conf, ngx_http_cmcd_pace_ctx_t *ctx)
{
    ngx_uint_t  limit, status = r->headers_out.status, pace;

    ctx->pace = 0;
    pace = cmcd_safe_pace(&ctx->rtp, (uint32_t) conf->foreign_floor);

    /* Error responses are never paced: they are small, and the player waits for them before it retries. */
    if ((status < 200 || status > 299) && status != NGX_HTTP_NOT_MODIFIED) {
        ngx_str_set(&ctx->reason, "error-response");

    } else if (!conf->enabled) {
        ngx_str_set(&ctx->reason, "switched-off");

    } else if (ctx->rtp.kind == CMCD_RTP_NONE) {
        ngx_str_set(&ctx->reason, "no-rtp");

    } else if (ctx->rtp.kind != CMCD_RTP_PACE) {
        return ngx_http_cmcd_pace_refuse(r, ctx);

    } else if (!ctx->rtp.from_plugin && !conf->foreign) {
        ngx_str_set(&ctx->reason, "foreign-player");

    } else if (conf->floor && pace < conf->floor) {
        ctx->pace = conf->floor;
        ngx_str_set(&ctx->reason, "floor");

    } else if (conf->ceiling && pace > conf->ceiling) {
        ctx->pace = conf->ceiling;
        ngx_str_set(&ctx->reason, "ceiling");

    } else {
        ctx->pace = pace;
        if (pace > ctx->rtp.kbps) {
            ngx_str_set(&ctx->reason, "foreign-player");
        } else {
            ngx_str_set(&ctx->reason, "requested");
        }
    }

    if (ctx->pace && ctx->pace < NGX_HTTP_CMCD_PACE_LEAST_KBPS) {
        ctx->pace = NGX_HTTP_CMCD_PACE_LEAST_KBPS;
        ngx_str_set(&ctx->reason, "floor");
    }

    /* nginx's own limit is a ceiling of the pace, so that the receipt has the actual rate of the response. A limit of
     * less than 1 kbit/s must not become 0, which means no limit. */
    limit = ngx_http_cmcd_pace_operators_limit(r);
    limit = limit ? ngx_max(limit / NGX_HTTP_CMCD_PACE_BYTES_PER_KBIT, 1) : 0;
    if (limit && ctx->pace > limit && !ngx_http_cmcd_pace_begins_unlimited(r)) {
        ctx->pace = limit;
        ngx_str_set(&ctx->reason, "ceiling");
    }

    return NGX_OK;
}
