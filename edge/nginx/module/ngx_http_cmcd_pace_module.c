/*
 * Sets the kernel's pace of the client's socket to the rtp of CMCD before the first byte of each response, and reports
 * the pace in the response. This file has the directives, their settings, and the handlers that nginx calls for each
 * request. The other files have the steps; ngx_http_cmcd_pace.h lists the files.
 */

#include "ngx_http_cmcd_pace.h"

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
ngx_http_cmcd_pace_ctx_t *
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
 * Answers a browser's preflight before access is checked, because a preflight has no credentials. If the location
 * forwards requests to an origin or another program, the preflight is forwarded first, and the header filter replaces
 * its response unless it is a preflight response.
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
