# Include this before your own vcl_deliver: gives the socket the pace that varnish-recv.vcl has read, and writes the receipt.
# Needs varnish-modules (vmod tcp). A pace cannot be unset, so an unpaced response sets 2,097,151 KB/s (17 Gbit/s).
import std;
import tcp;
sub vcl_deliver {
    set req.http.X-Sammy-Pace-Reason = "no-rtp";
    if (req.http.X-Sammy-Rtp-Kbps) {
        set req.http.X-Sammy-Pace-Reason = "requested";
        if (resp.status >= 400) {
            set req.http.X-Sammy-Pace-Reason = "error-response";
        } else if (req.proto ~ "^HTTP/2") {
            # Streams share the socket, and the pace of one would slow down the others.
            set req.http.X-Sammy-Pace-Reason = "shared-connection";
        } else if ("" + client.ip != "" + remote.ip) {
            # A program in front of Varnish ends TLS, so the client's socket is that program's.
            set req.http.X-Sammy-Pace-Reason = "not-client-socket";
        }
    }
    set req.http.X-Sammy-Pace-Kbps = "0";
    if (req.http.X-Sammy-Pace-Reason == "requested" && std.integer(req.http.X-Sammy-Rtp-Kbps, 0) < 17179000) {
        # The pace in KB/s (1,024 bytes), rounded up; 1 KB/s is 8.192 kbit/s.
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
