/*
 * The module's variables, for logs and cache keys: the verdict on a request, the TCP counters of its connection, and its
 * URI without CMCD. nginx calls the handlers; _module.c adds the variables. This file must not change a response.
 */

#include "ngx_http_cmcd_pace.h"
#include "ngx_http_cmcd_pace_tcp.h"

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


/*
 * The value of $request_uri without CMCD, and without a fragment, which a client should not send. An absolute URL
 * without a path has the path `/`: for an empty value, proxy_pass would send the origin the original query.
 */
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

    args.data = p < end ? p + 1 : p;
    args.len = end - args.data;
    path.len = p - path.data;
    if (path.len == 0) {
        ngx_str_set(&path, "/");
    }
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


ngx_int_t
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
