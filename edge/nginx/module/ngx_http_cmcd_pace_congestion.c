/*
 * TCP's congestion control, which may differ for paced and unpaced responses (edge/congestion-control.ts). The
 * congestion control for unpaced responses is set on the listening sockets, so that connections begin with it: if they
 * began with bbr, the kernel would continue to pace them after a change to another congestion control.
 */

#include "ngx_http_cmcd_pace.h"

#ifndef TCP_CONGESTION
#define TCP_CONGESTION  13
#endif

#define NGX_HTTP_CMCD_PACE_AVAILABLE  "net.ipv4.tcp_available_congestion_control"
#define NGX_HTTP_CMCD_PACE_ALLOWED    "net.ipv4.tcp_allowed_congestion_control"
#define NGX_HTTP_CMCD_PACE_OWN        "net.ipv4.tcp_congestion_control"

/* The buffer size for a sysctl's list of congestion controls: 32 names of 16 bytes. Kernels list at most a dozen. */
#define NGX_HTTP_CMCD_PACE_NAMES  512


/* Whether this module has set a listening socket's congestion control, which the socket keeps over a reload. */
static ngx_uint_t  ngx_http_cmcd_pace_has_set_listening;


ngx_int_t
ngx_http_cmcd_pace_get_congestion(ngx_socket_t fd, u_char *name, ngx_str_t *value)
{
    socklen_t  length = NGX_HTTP_CMCD_PACE_CC_LENGTH;

    if (getsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, name, &length) == -1 || length == 0) {
        return NGX_DECLINED;
    }

    value->data = name;
    value->len = ngx_strnlen(name, ngx_min(length, NGX_HTTP_CMCD_PACE_CC_LENGTH));
    return NGX_OK;
}


ngx_int_t
ngx_http_cmcd_pace_set_congestion(ngx_socket_t fd, const ngx_str_t *name, ngx_log_t *log)
{
    if (setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, name->data, name->len) == -1) {
        ngx_log_error(NGX_LOG_INFO, log, ngx_socket_errno, "setsockopt(TCP_CONGESTION, \"%V\") failed", name);
        return NGX_ERROR;
    }

    return NGX_OK;
}


ngx_str_t
ngx_http_cmcd_pace_sysctl(const char *name, u_char *room, size_t size)
{
    u_char     *p, path[128];
    ssize_t     n;
    ngx_fd_t    fd;
    ngx_str_t   text = { 0, room };

    p = ngx_snprintf(path, sizeof(path) - 1, "/proc/sys/%s", name);
    *p = '\0';
    for (p = path; *p; p++) {
        if (*p == '.') {
            *p = '/';
        }
    }

    fd = ngx_open_file(path, NGX_FILE_RDONLY, NGX_FILE_OPEN, 0);
    if (fd == NGX_INVALID_FILE) {
        return text;
    }

    n = ngx_read_fd(fd, room, size);
    (void) ngx_close_file(fd);
    while (n > 0 && (room[n - 1] == LF || room[n - 1] == ' ')) {
        n--;
    }
    text.len = n > 0 ? (size_t) n : 0;
    return text;
}


/* Whether `names`, separated by spaces, contains `name`. */
static ngx_uint_t
ngx_http_cmcd_pace_is_listed(const ngx_str_t *name, const ngx_str_t *names)
{
    u_char  *p = names->data, *word, *end = names->data + names->len;

    while (p < end) {
        for (word = p; p < end && *p != ' '; p++) { /* void */ }
        if ((size_t) (p - word) == name->len && ngx_strncmp(word, name->data, name->len) == 0) {
            return name->len > 0;
        }
        p++;
    }

    return 0;
}


/* Splits NAME, or paced=NAME,unpaced=NAME, into the two names. */
static void
ngx_http_cmcd_pace_split(const ngx_str_t *text, ngx_str_t *paced, ngx_str_t *unpaced)
{
    u_char  *comma;

    *paced = *text;
    *unpaced = *text;

    comma = ngx_strlchr(text->data, text->data + text->len, ',');
    if (comma == NULL || ngx_strncmp(text->data, "paced=", 6) != 0
        || (size_t) (text->data + text->len - comma) < sizeof(",unpaced=") - 1
        || ngx_strncmp(comma, ",unpaced=", sizeof(",unpaced=") - 1) != 0)
    {
        return;
    }

    paced->data = text->data + 6;
    paced->len = comma - paced->data;
    unpaced->data = comma + sizeof(",unpaced=") - 1;
    unpaced->len = text->data + text->len - unpaced->data;
}


/*
 * Returns the sysctl that lists the congestion controls which the workers may set. Root may set all available ones
 * (setting another one would load a kernel module); other users may set only the allowed ones.
 */
static const char *
ngx_http_cmcd_pace_granting(ngx_conf_t *cf)
{
    ngx_core_conf_t  *ccf = (ngx_core_conf_t *) ngx_get_conf(cf->cycle->conf_ctx, ngx_core_module);

    return geteuid() == 0 && ccf->user == 0 ? NGX_HTTP_CMCD_PACE_AVAILABLE : NGX_HTTP_CMCD_PACE_ALLOWED;
}


char *
ngx_http_cmcd_pace_congestion_directive(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    u_char                      room[NGX_HTTP_CMCD_PACE_NAMES];
    ngx_str_t                   names, *value = cf->args->elts;
    const char                 *granting = ngx_http_cmcd_pace_granting(cf);
    ngx_http_cmcd_pace_conf_t  *cpcf = conf;

    if (cpcf->paced_congestion.data) {
        return "is duplicate";
    }

    names = ngx_http_cmcd_pace_sysctl(granting, room, sizeof(room));
    ngx_http_cmcd_pace_split(&value[1], &cpcf->paced_congestion, &cpcf->unpaced_congestion);

    if (!ngx_http_cmcd_pace_is_listed(&cpcf->paced_congestion, &names)
        || !ngx_http_cmcd_pace_is_listed(&cpcf->unpaced_congestion, &names))
    {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "%V is \"%V\"; expected NAME or paced=NAME,unpaced=NAME, each NAME one of %V (%s)",
                           &value[0], &value[1], &names, granting);
        return NGX_CONF_ERROR;
    }

    return NGX_CONF_OK;
}


/* Returns the congestion control of unpaced responses for the default server of a socket; NULL if none is set, or if
 * the socket is not for HTTP. */
static ngx_str_t *
ngx_http_cmcd_pace_of_listening(ngx_listening_t *listening)
{
    ngx_http_port_t            *port = listening->servers;
    ngx_http_in_addr_t         *addr;
    ngx_http_core_srv_conf_t   *server;
    ngx_http_cmcd_pace_conf_t  *conf;
#if (NGX_HAVE_INET6)
    ngx_http_in6_addr_t        *addr6;
#endif

    /* The last address is the socket's own, because nginx sorts a wildcard behind the other addresses of the socket. */
    switch (listening->sockaddr->sa_family) {

    case AF_INET:
        addr = port->addrs;
        server = addr[port->naddrs - 1].conf.default_server;
        break;

#if (NGX_HAVE_INET6)
    case AF_INET6:
        addr6 = port->addrs;
        server = addr6[port->naddrs - 1].conf.default_server;
        break;
#endif

    default:
        return NULL;
    }

    conf = server->ctx->loc_conf[ngx_http_cmcd_pace_module.ctx_index];
    return conf->unpaced_congestion.len > 0 ? &conf->unpaced_congestion : NULL;
}


/*
 * Sets the congestion control of the listening sockets, which connections inherit. A failure is only logged, because
 * nginx would end if an error were returned.
 */
ngx_int_t
ngx_http_cmcd_pace_init_listening(ngx_cycle_t *cycle)
{
    u_char            room[NGX_HTTP_CMCD_PACE_NAMES];
    ngx_str_t         own, *name;
    ngx_uint_t        i;
    ngx_listening_t  *listening = cycle->listening.elts;

    own = ngx_http_cmcd_pace_sysctl(NGX_HTTP_CMCD_PACE_OWN, room, sizeof(room));

    for (i = 0; i < cycle->listening.nelts; i++) {
        if (listening[i].handler != ngx_http_init_connection || listening[i].type != SOCK_STREAM
            || listening[i].fd == (ngx_socket_t) -1)
        {
            continue;
        }

        name = ngx_http_cmcd_pace_of_listening(&listening[i]);
        if (name) {
            ngx_http_cmcd_pace_has_set_listening = 1;

        } else if (ngx_http_cmcd_pace_has_set_listening && own.len > 0) {
            name = &own;
        }
        if (name) {
            (void) ngx_http_cmcd_pace_set_congestion(listening[i].fd, name, cycle->log);
        }
    }

    return NGX_OK;
}
