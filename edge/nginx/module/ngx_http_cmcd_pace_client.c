/*
 * Finds the client's connection of a request, and whether its socket is the client's. The other files of the module call
 * it, because the connection is elsewhere in HTTP/1.1, HTTP/2 and HTTP/3. This file must not depend on paces.
 */

#include "ngx_http_cmcd_pace.h"


ngx_connection_t *
ngx_http_cmcd_pace_client(ngx_http_request_t *r)
{
#if (NGX_HTTP_V2)
    /* The ngx_connection_t of an HTTP/2 stream has no socket, so use the client's connection. */
    if (r->stream) {
        return r->stream->connection->connection;
    }
#endif
#if (NGX_HTTP_V3)
    if (ngx_http_cmcd_pace_is_quic(r)) {
        return ngx_http_cmcd_pace_quic_client(r);
    }
#endif
    return r->connection;
}


/* Whether the responses of several requests share the client's connection at a time. */
ngx_uint_t
ngx_http_cmcd_pace_is_shared(ngx_http_request_t *r)
{
#if (NGX_HTTP_V2)
    return r->stream != NULL;
#else
    return 0;
#endif
}


/*
 * Whether the client is the peer of the socket. False for a Unix-domain socket, and behind a proxy that sends the
 * client's address with the PROXY protocol or in a header that the realip module trusts: the client's address in nginx
 * then differs from the peer's address in the kernel.
 */
ngx_uint_t
ngx_http_cmcd_pace_is_clients(ngx_http_request_t *r)
{
    socklen_t          length = sizeof(ngx_sockaddr_t);
    ngx_sockaddr_t     peer;
    ngx_connection_t  *client = ngx_http_cmcd_pace_client(r);

    if (client->proxy_protocol) {
        return 0;
    }

#if (NGX_HTTP_V3)
    /* QUIC clients share a UDP socket, so compare with the peer's address in the connection. */
    if (ngx_http_cmcd_pace_is_quic(r)) {
        return ngx_cmp_sockaddr(r->connection->sockaddr, r->connection->socklen, client->sockaddr, client->socklen, 1)
               == NGX_OK;
    }
#endif

    /* The connection is already closed, so the result does not matter. */
    if (getpeername(client->fd, &peer.sockaddr, &length) == -1) {
        return 1;
    }

    return (peer.sockaddr.sa_family == AF_INET || peer.sockaddr.sa_family == AF_INET6)
           && ngx_cmp_sockaddr(r->connection->sockaddr, r->connection->socklen, &peer.sockaddr, length, 1)
              == NGX_OK;
}
