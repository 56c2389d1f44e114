/*
 * Sets the kernel's pace of the client's socket to the rtp of CMCD before the first byte of each response, and reports
 * the pace in the response. edge/policy.ts has the rules and their reasons; edge/cases.json tests both implementations.
 */

#include "ngx_http_cmcd_pace.h"
#include "ngx_http_cmcd_pace_tcp.h"

static ngx_int_t ngx_http_cmcd_pace_add_variables(ngx_conf_t *cf);
static ngx_int_t ngx_http_cmcd_pace_init(ngx_conf_t *cf);
static void *ngx_http_cmcd_pace_create_main_conf(ngx_conf_t *cf);
static void *ngx_http_cmcd_pace_create_conf(ngx_conf_t *cf);
static char *ngx_http_cmcd_pace_merge_conf(ngx_conf_t *cf, void *parent, void *child);
static char *ngx_http_cmcd_pace_set_rate(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);

static ngx_http_output_header_filter_pt  ngx_http_next_header_filter;
#if (NGX_HTTP_V3)
static ngx_http_output_body_filter_pt    ngx_http_next_body_filter;
#endif

#define NGX_HTTP_CMCD_PACE_ANYWHERE  (NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF|NGX_CONF_TAKE1)

static ngx_command_t  ngx_http_cmcd_pace_commands[] = {

    { ngx_string("cmcd_pace"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF|NGX_HTTP_LIF_CONF|NGX_CONF_FLAG,
      ngx_conf_set_flag_slot,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_cmcd_pace_conf_t, enabled),
      NULL },

    { ngx_string("cmcd_pace_cors"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF|NGX_CONF_FLAG,
      ngx_conf_set_flag_slot,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_cmcd_pace_conf_t, cors),
      NULL },

    { ngx_string("cmcd_pace_floor"),
      NGX_HTTP_CMCD_PACE_ANYWHERE,
      ngx_http_cmcd_pace_set_rate,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_cmcd_pace_conf_t, floor),
      NULL },

    { ngx_string("cmcd_pace_ceiling"),
      NGX_HTTP_CMCD_PACE_ANYWHERE,
      ngx_http_cmcd_pace_set_rate,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_cmcd_pace_conf_t, ceiling),
      NULL },

    { ngx_string("cmcd_pace_foreign"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF|NGX_CONF_FLAG,
      ngx_conf_set_flag_slot,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_cmcd_pace_conf_t, foreign),
      NULL },

    { ngx_string("cmcd_pace_foreign_floor"),
      NGX_HTTP_CMCD_PACE_ANYWHERE,
      ngx_http_cmcd_pace_set_rate,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_cmcd_pace_conf_t, foreign_floor),
      NULL },

    { ngx_string("cmcd_pace_congestion_control"),
      NGX_HTTP_CMCD_PACE_ANYWHERE,
      ngx_http_cmcd_pace_congestion_directive,
      NGX_HTTP_LOC_CONF_OFFSET,
      0,
      NULL },

    { ngx_string("cmcd_pace_metrics"),
      NGX_HTTP_LOC_CONF|NGX_CONF_NOARGS,
      ngx_http_cmcd_pace_metrics_directive,
      NGX_HTTP_LOC_CONF_OFFSET,
      0,
      NULL },

      ngx_null_command
};

static ngx_http_module_t  ngx_http_cmcd_pace_module_ctx = {
    ngx_http_cmcd_pace_add_variables,
    ngx_http_cmcd_pace_init,
    ngx_http_cmcd_pace_create_main_conf,
    NULL,
    NULL,
    NULL,
    ngx_http_cmcd_pace_create_conf,
    ngx_http_cmcd_pace_merge_conf
};

ngx_module_t  ngx_http_cmcd_pace_module = {
    NGX_MODULE_V1,
    &ngx_http_cmcd_pace_module_ctx,
    ngx_http_cmcd_pace_commands,
    NGX_HTTP_MODULE,
    NULL,
    ngx_http_cmcd_pace_init_listening,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NGX_MODULE_V1_PADDING
};


/* Returns the main request's data, created on first use. nginx deletes it on an internal redirect; it is then created
 * again. */
static ngx_http_cmcd_pace_ctx_t *
ngx_http_cmcd_pace_ctx(ngx_http_request_t *r)
{
    ngx_http_cmcd_pace_ctx_t  *ctx;

    ctx = ngx_http_get_module_ctx(r->main, ngx_http_cmcd_pace_module);
    if (ctx) {
        return ctx;
    }

    ctx = ngx_pcalloc(r->main->pool, sizeof(ngx_http_cmcd_pace_ctx_t));
    if (ctx == NULL || ngx_http_cmcd_pace_read_rtp(r->main, &ctx->rtp) != NGX_OK) {
        return NULL;
    }

    ngx_http_set_ctx(r->main, ctx, ngx_http_cmcd_pace_module);
    return ctx;
}


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


/* Decides the pace and the reason like decidePace of edge/policy.ts, before the socket's pace is set. */
static ngx_int_t
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

    /* nginx's own limit is a ceiling of the pace, so that the receipt has the actual rate of the response. */
    limit = ngx_http_cmcd_pace_operators_limit(r) / NGX_HTTP_CMCD_PACE_BYTES_PER_KBIT;
    if (limit && ctx->pace > limit && !ngx_http_cmcd_pace_begins_unlimited(r)) {
        ctx->pace = limit;
        ngx_str_set(&ctx->reason, "ceiling");
    }

    return NGX_OK;
}


static ngx_int_t
ngx_http_cmcd_pace_serve(ngx_http_request_t *r, ngx_http_cmcd_pace_conf_t *conf, ngx_http_cmcd_pace_ctx_t *ctx)
{
    ngx_http_cmcd_pace_result_e  result;

    if (ngx_http_cmcd_pace_decide(r, conf, ctx) != NGX_OK) {
        return NGX_ERROR;
    }

    ctx->congestion = ctx->pace ? &conf->paced_congestion : &conf->unpaced_congestion;
    if (ctx->congestion->len == 0) {
        ctx->congestion = NULL;
    }

#if (NGX_HTTP_V3)
    if (ngx_http_cmcd_pace_is_quic(r)) {
        if (!ngx_http_cmcd_pace_is_clients(r)) {
            ctx->pace = 0;
            ngx_str_set(&ctx->reason, "not-client-socket");

        } else if (ctx->pace && ngx_http_cmcd_pace_is_unbuffered(r)) {
            ctx->pace = 0;
            ngx_str_set(&ctx->reason, "platform-cannot-pace");
        }
        return ngx_http_cmcd_pace_quic_begin(r, ctx) == NGX_OK ? ngx_http_cmcd_pace_add_receipt(r, ctx) : NGX_ERROR;
    }
#endif

    if (ngx_http_cmcd_pace_begin(r, ctx, &result) != NGX_OK) {
        return NGX_ERROR;
    }

    if (result != NGX_HTTP_CMCD_PACE_DONE) {
        ctx->pace = 0;
        if (result == NGX_HTTP_CMCD_PACE_NOT_CLIENT_SOCKET) {
            ngx_str_set(&ctx->reason, "not-client-socket");
        } else {
            ngx_str_set(&ctx->reason, "platform-cannot-pace");
        }
    }

    return ngx_http_cmcd_pace_add_receipt(r, ctx);
}


static ngx_int_t
ngx_http_cmcd_pace_header_filter(ngx_http_request_t *r)
{
    ngx_http_cmcd_pace_ctx_t   *ctx;
    ngx_http_cmcd_pace_conf_t  *conf;

    if (r != r->main) {
        return ngx_http_next_header_filter(r);
    }

    conf = ngx_http_get_module_loc_conf(r, ngx_http_cmcd_pace_module);

    if (conf->enabled == NGX_CONF_UNSET) {
        return ngx_http_cmcd_pace_release(r) == NGX_OK ? ngx_http_next_header_filter(r) : NGX_ERROR;
    }

    ctx = ngx_http_cmcd_pace_ctx(r);
    if (ctx == NULL) {
        return NGX_ERROR;
    }

    if (conf->cors && (ctx->preflight ? ngx_http_cmcd_pace_answer_preflight(r)
                                      : ngx_http_cmcd_pace_allow_any_page(r)) != NGX_OK)
    {
        return NGX_ERROR;
    }

    if (ctx->preflight ? ngx_http_cmcd_pace_release(r) != NGX_OK
                       : ngx_http_cmcd_pace_serve(r, conf, ctx) != NGX_OK)
    {
        return NGX_ERROR;
    }

    return ngx_http_next_header_filter(r);
}


#if (NGX_HTTP_V3)
static ngx_int_t
ngx_http_cmcd_pace_body_filter(ngx_http_request_t *r, ngx_chain_t *in)
{
    ngx_http_cmcd_pace_ctx_t  *ctx = ngx_http_get_module_ctx(r, ngx_http_cmcd_pace_module);

    if (ctx) {
        ngx_http_cmcd_pace_quic_continue(r, ctx);
    }

    return ngx_http_next_body_filter(r, in);
}
#endif


/*
 * Answers a browser's preflight before access is checked, because a preflight has no credentials. If the location has
 * an origin or another program, that receives the preflight first, and the header filter replaces its response unless
 * it is a preflight response.
 */
static ngx_int_t
ngx_http_cmcd_pace_preflight(ngx_http_request_t *r)
{
    ngx_http_cmcd_pace_ctx_t   *ctx;
    ngx_http_cmcd_pace_conf_t  *conf;
    ngx_http_core_loc_conf_t   *clcf;

    conf = ngx_http_get_module_loc_conf(r, ngx_http_cmcd_pace_module);

    if (r != r->main || r->method != NGX_HTTP_OPTIONS || conf->enabled == NGX_CONF_UNSET || !conf->cors) {
        return NGX_DECLINED;
    }

    ctx = ngx_http_cmcd_pace_ctx(r);
    if (ctx == NULL) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    ctx->preflight = 1;
    clcf = ngx_http_get_module_loc_conf(r, ngx_http_core_module);
    return clcf->handler ? NGX_DECLINED : NGX_HTTP_NO_CONTENT;
}


/* Identifies the module's variables. Passed to their handlers as `data`. */
enum {
    NGX_HTTP_CMCD_PACE_VAR_SENT_BYTES,
    NGX_HTTP_CMCD_PACE_VAR_RETRANSMITTED_BYTES,
    NGX_HTTP_CMCD_PACE_VAR_KBPS,
    NGX_HTTP_CMCD_PACE_VAR_SOCKET_KBPS,
    NGX_HTTP_CMCD_PACE_VAR_ASKED_KBPS,
    NGX_HTTP_CMCD_PACE_VAR_REASON
};


static ngx_int_t
ngx_http_cmcd_pace_verdict_variable(ngx_http_request_t *r, ngx_http_variable_value_t *v, uintptr_t data)
{
    u_char                    *p;
    ngx_uint_t                 rate;
    ngx_http_cmcd_pace_ctx_t  *ctx;

    ctx = ngx_http_cmcd_pace_ctx(r);
    if (ctx == NULL) {
        return NGX_ERROR;
    }

    v->valid = 1;
    v->no_cacheable = 1;
    v->not_found = 0;

    if (data == NGX_HTTP_CMCD_PACE_VAR_REASON) {
        v->data = ctx->reason.data;
        v->len = ctx->reason.len;
        v->not_found = ctx->reason.len == 0;
        return NGX_OK;
    }

    rate = data == NGX_HTTP_CMCD_PACE_VAR_KBPS ? ctx->pace
         : data == NGX_HTTP_CMCD_PACE_VAR_SOCKET_KBPS ? ctx->socket_pace
         : ctx->rtp.kbps;
    if (rate == 0) {
        v->not_found = 1;
        return NGX_OK;
    }

    p = ngx_pnalloc(r->pool, NGX_INT_T_LEN);
    if (p == NULL) {
        return NGX_ERROR;
    }

    v->data = p;
    v->len = ngx_sprintf(p, "%ui", rate) - p;
    return NGX_OK;
}


/* Handles variables with a TCP counter of the client's connection. */
static ngx_int_t
ngx_http_cmcd_pace_tcp_variable(ngx_http_request_t *r, ngx_http_variable_value_t *v, uintptr_t data)
{
    u_char                         *p;
    uint64_t                        bytes;
    ngx_http_cmcd_pace_tcp_info_t   info;

    v->valid = 1;
    v->no_cacheable = 1;
    v->not_found = 1;

    if (ngx_http_cmcd_pace_tcp_info(ngx_http_cmcd_pace_client(r)->fd, &info) != NGX_OK) {
        return NGX_OK;
    }

    p = ngx_pnalloc(r->pool, NGX_INT64_LEN);
    if (p == NULL) {
        return NGX_ERROR;
    }

    bytes = data == NGX_HTTP_CMCD_PACE_VAR_SENT_BYTES ? info.bytes_sent : info.bytes_retrans;
    v->data = p;
    v->len = ngx_sprintf(p, "%uL", bytes) - p;
    v->not_found = 0;
    return NGX_OK;
}


/* The value of $args without CMCD. */
static ngx_int_t
ngx_http_cmcd_pace_args_variable(ngx_http_request_t *r, ngx_http_variable_value_t *v, uintptr_t data)
{
    ngx_str_t  args;

    if (ngx_http_cmcd_pace_strip(r->pool, &r->args, &args) != NGX_OK) {
        return NGX_ERROR;
    }

    v->data = args.data;
    v->len = args.len;
    v->valid = 1;
    v->no_cacheable = 1;
    v->not_found = args.len == 0;
    return NGX_OK;
}


/* The value of $request_uri without CMCD, and without a fragment, which a client should not send. */
static ngx_int_t
ngx_http_cmcd_pace_uri_variable(ngx_http_request_t *r, ngx_http_variable_value_t *v, uintptr_t data)
{
    u_char     *p, *end;
    ngx_str_t   path, args, stripped;

    v->not_found = 1;
    path = r->unparsed_uri;
    if (path.len == 0) {
        return NGX_OK;
    }

    p = path.data;
    end = p + path.len;
    while (p < end && *p != '#') {
        p++;
    }
    end = p;
    for (p = path.data; p < end && *p != '?'; p++) { /* void */ }

    path.len = p - path.data;
    args.data = p < end ? p + 1 : p;
    args.len = end - args.data;
    if (ngx_http_cmcd_pace_strip(r->pool, &args, &stripped) != NGX_OK) {
        return NGX_ERROR;
    }

    p = ngx_pnalloc(r->pool, path.len + 1 + stripped.len);
    if (p == NULL) {
        return NGX_ERROR;
    }

    v->data = p;
    p = ngx_cpymem(p, path.data, path.len);
    if (stripped.len > 0) {
        *p++ = '?';
        p = ngx_cpymem(p, stripped.data, stripped.len);
    }

    v->len = p - v->data;
    v->valid = 1;
    v->no_cacheable = 1;
    v->not_found = 0;
    return NGX_OK;
}


static const struct {
    ngx_str_t                   name;
    ngx_http_get_variable_pt    get;
    uintptr_t                   data;
} ngx_http_cmcd_pace_variables[] = {
    { ngx_string("cmcd_pace_kbps"), ngx_http_cmcd_pace_verdict_variable, NGX_HTTP_CMCD_PACE_VAR_KBPS },
    { ngx_string("cmcd_pace_socket_kbps"), ngx_http_cmcd_pace_verdict_variable, NGX_HTTP_CMCD_PACE_VAR_SOCKET_KBPS },
    { ngx_string("cmcd_pace_asked_kbps"), ngx_http_cmcd_pace_verdict_variable, NGX_HTTP_CMCD_PACE_VAR_ASKED_KBPS },
    { ngx_string("cmcd_pace_reason"), ngx_http_cmcd_pace_verdict_variable, NGX_HTTP_CMCD_PACE_VAR_REASON },
    { ngx_string("cmcd_pace_sent_bytes"), ngx_http_cmcd_pace_tcp_variable, NGX_HTTP_CMCD_PACE_VAR_SENT_BYTES },
    { ngx_string("cmcd_pace_retransmitted_bytes"), ngx_http_cmcd_pace_tcp_variable,
      NGX_HTTP_CMCD_PACE_VAR_RETRANSMITTED_BYTES },
    { ngx_string("cmcd_pace_args"), ngx_http_cmcd_pace_args_variable, 0 },
    { ngx_string("cmcd_pace_request_uri"), ngx_http_cmcd_pace_uri_variable, 0 }
};


static ngx_int_t
ngx_http_cmcd_pace_add_variables(ngx_conf_t *cf)
{
    ngx_str_t             name;
    ngx_uint_t            i;
    ngx_http_variable_t  *variable;

    for (i = 0; i < sizeof(ngx_http_cmcd_pace_variables) / sizeof(ngx_http_cmcd_pace_variables[0]); i++) {
        name = ngx_http_cmcd_pace_variables[i].name;
        variable = ngx_http_add_variable(cf, &name, NGX_HTTP_VAR_NOCACHEABLE);
        if (variable == NULL) {
            return NGX_ERROR;
        }
        variable->get_handler = ngx_http_cmcd_pace_variables[i].get;
        variable->data = ngx_http_cmcd_pace_variables[i].data;
    }

    return NGX_OK;
}


static ngx_int_t
ngx_http_cmcd_pace_init(ngx_conf_t *cf)
{
    ngx_http_handler_pt        *handler;
    ngx_http_core_main_conf_t  *cmcf;

    cmcf = ngx_http_conf_get_module_main_conf(cf, ngx_http_core_module);
    handler = ngx_array_push(&cmcf->phases[NGX_HTTP_PREACCESS_PHASE].handlers);
    if (handler == NULL) {
        return NGX_ERROR;
    }
    *handler = ngx_http_cmcd_pace_preflight;

    handler = ngx_array_push(&cmcf->phases[NGX_HTTP_LOG_PHASE].handlers);
    if (handler == NULL) {
        return NGX_ERROR;
    }
    *handler = ngx_http_cmcd_pace_count;

    ngx_http_next_header_filter = ngx_http_top_header_filter;
    ngx_http_top_header_filter = ngx_http_cmcd_pace_header_filter;
#if (NGX_HTTP_V3)
    ngx_http_next_body_filter = ngx_http_top_body_filter;
    ngx_http_top_body_filter = ngx_http_cmcd_pace_body_filter;
#endif
    return NGX_OK;
}


static void *
ngx_http_cmcd_pace_create_main_conf(ngx_conf_t *cf)
{
    return ngx_pcalloc(cf->pool, sizeof(ngx_http_cmcd_pace_main_conf_t));
}


static void *
ngx_http_cmcd_pace_create_conf(ngx_conf_t *cf)
{
    ngx_http_cmcd_pace_conf_t  *conf;

    conf = ngx_pcalloc(cf->pool, sizeof(ngx_http_cmcd_pace_conf_t));
    if (conf == NULL) {
        return NULL;
    }

    conf->enabled = NGX_CONF_UNSET;
    conf->cors = NGX_CONF_UNSET;
    conf->floor = NGX_CONF_UNSET_UINT;
    conf->ceiling = NGX_CONF_UNSET_UINT;
    conf->foreign = NGX_CONF_UNSET;
    conf->foreign_floor = NGX_CONF_UNSET_UINT;
    return conf;
}


static char *
ngx_http_cmcd_pace_merge_conf(ngx_conf_t *cf, void *parent, void *child)
{
    ngx_http_cmcd_pace_conf_t  *prev = parent, *conf = child;

    ngx_conf_merge_value(conf->enabled, prev->enabled, NGX_CONF_UNSET);
    ngx_conf_merge_value(conf->cors, prev->cors, 1);
    ngx_conf_merge_uint_value(conf->floor, prev->floor, 0);
    ngx_conf_merge_uint_value(conf->ceiling, prev->ceiling, 0);
    ngx_conf_merge_value(conf->foreign, prev->foreign, 1);
    ngx_conf_merge_uint_value(conf->foreign_floor, prev->foreign_floor, CMCD_FOREIGN_FLOOR_KBPS);
    ngx_conf_merge_str_value(conf->paced_congestion, prev->paced_congestion, "");
    ngx_conf_merge_str_value(conf->unpaced_congestion, prev->unpaced_congestion, "");

    if (conf->ceiling && conf->floor > conf->ceiling) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "cmcd_pace_floor is %ui; expected at most cmcd_pace_ceiling, which is %ui",
                           conf->floor, conf->ceiling);
        return NGX_CONF_ERROR;
    }

    return NGX_CONF_OK;
}


static char *
ngx_http_cmcd_pace_set_rate(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_int_t    rate;
    ngx_str_t   *value = cf->args->elts;
    ngx_uint_t  *field = (ngx_uint_t *) ((char *) conf + cmd->offset);

    if (*field != NGX_CONF_UNSET_UINT) {
        return "is duplicate";
    }

    rate = ngx_atoi(value[1].data, value[1].len);
    if (rate < 1 || rate > CMCD_RTP_MAX_KBPS) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "%V is \"%V\"; expected kbit/s, a whole number from 1 to %d",
                           &value[0], &value[1], CMCD_RTP_MAX_KBPS);
        return NGX_CONF_ERROR;
    }

    *field = (ngx_uint_t) rate;
    return NGX_CONF_OK;
}
