# Include this before your own vcl_deliver: paces the client's socket as varnish-recv.vcl has read, and writes the receipt.
# Needs varnish-modules (vmod tcp). A pace cannot be unset: 2,097,151 KB/s releases the socket for whatever comes next.
import std;
import tcp;
sub vcl_deliver {
    set req.http.X-Sammy-Pace-Reason = "no-rtp";
    if (req.http.X-Sammy-Rtp-Kbps) {
        set req.http.X-Sammy-Pace-Reason = "requested";
        if (resp.status >= 400) {
            set req.http.X-Sammy-Pace-Reason = "error-response";
        } else if (req.proto ~ "^HTTP/2") {
            # Streams share the socket, and the pace of one would hold the others back.
            set req.http.X-Sammy-Pace-Reason = "shared-connection";
        } else if ("" + client.ip != "" + remote.ip) {
            # Whoever ended TLS before Varnish has the client's socket.
            set req.http.X-Sammy-Pace-Reason = "not-client-socket";
        }
    }
    set req.http.X-Sammy-Pace-Kbps = "0";
    if (req.http.X-Sammy-Pace-Reason == "requested" && std.integer(req.http.X-Sammy-Rtp-Kbps, 0) < 17179000) {
        # Kilobytes (1,024) per second, rounded up; 1 KB/s is 8.192 kbit/s.
        set req.http.X-Sammy-Pace-Kbps = (std.integer(req.http.X-Sammy-Rtp-Kbps, 0) * 1000 + 8191) / 8192;
        tcp.set_socket_pace(std.integer(req.http.X-Sammy-Pace-Kbps, 2097151));
        set req.http.X-Sammy-Pace-Kbps = std.real(req.http.X-Sammy-Pace-Kbps, 0.0) * 8.192;
    } else {
        tcp.set_socket_pace(2097151);
    }
    std.collect(resp.http.CMSD-Dynamic);
    std.collect(resp.http.Server-Timing);
    std.collect(resp.http.Access-Control-Expose-Headers);
    set resp.http.CMSD-Dynamic = regsub(resp.http.CMSD-Dynamic + ", ", "^, $", "") +
        {""dashjs-sammy";io.github.dashjs-sammy-pace="} + req.http.X-Sammy-Pace-Kbps;
    set resp.http.Server-Timing = regsub(resp.http.Server-Timing + ", ", "^, $", "") +
        {"pace;desc=""} + req.http.X-Sammy-Pace-Reason + {"""};
    set resp.http.Access-Control-Expose-Headers =
        regsub(resp.http.Access-Control-Expose-Headers + ", ", "^, $", "") + "CMSD-Dynamic, Server-Timing";
}
