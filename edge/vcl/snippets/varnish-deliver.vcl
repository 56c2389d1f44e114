# Include this file before your own vcl_deliver. It sets the socket's pace to the pace from varnish-recv.vcl, and writes
# the receipt. Needs varnish-modules. A pace cannot be unset, so an unpaced response sets 2,097,151 KB/s (17 Gbit/s).
import header;
import std;
import tcp;
sub sammy_deliver {
    set req.http.X-Sammy-Pace-Kbps = "0";
    set req.http.X-Sammy-Pace-Reason = "no-rtp";
    if (req.http.X-Sammy-Rtp-Kbps && resp.status >= 400) {
        set req.http.X-Sammy-Pace-Reason = "error-response";
    } else if (req.http.X-Sammy-Rtp-Kbps && req.proto ~ "^HTTP/2") {
        # HTTP/2 streams share the socket, and the pace of one stream would slow down the others.
        set req.http.X-Sammy-Pace-Reason = "shared-connection";
    } else if (req.http.X-Sammy-Rtp-Kbps && ("" + client.ip != "" + remote.ip || "" + remote.ip == "0.0.0.0")) {
        # A program in front of Varnish terminates TLS and owns the client's socket. A Unix socket has no address.
        set req.http.X-Sammy-Pace-Reason = "not-client-socket";
    } else if (req.http.X-Sammy-Rtp-Kbps) {
        set req.http.X-Sammy-Pace-Reason = req.http.X-Sammy-Rtp-Reason;
        if (std.integer(req.http.X-Sammy-Rtp-Kbps, 0) < 100) {
            # The minimum is 100 kbit/s, as in Node and nginx: with a lower pace, TCP would delay the next response by
            # many seconds.
            set req.http.X-Sammy-Rtp-Kbps = "100";
            set req.http.X-Sammy-Pace-Reason = "floor";
        }
        # The maximum is 17 Gbit/s, because vmod tcp has a signed 32-bit integer for bytes/s.
        if (std.integer(req.http.X-Sammy-Rtp-Kbps, 0) > 17179860) {
            set req.http.X-Sammy-Rtp-Kbps = "17179860";
            set req.http.X-Sammy-Pace-Reason = "ceiling";
        }
        # The pace in KB/s (1,024 bytes), rounded up; 1 KB/s is 8.192 kbit/s.
        set req.http.X-Sammy-Pace-Kbps = (std.integer(req.http.X-Sammy-Rtp-Kbps, 0) * 1000 + 8191) / 8192;
    }
    tcp.set_socket_pace(std.integer(regsub(req.http.X-Sammy-Pace-Kbps, "^0$", "2097151"), 2097151));
    set req.http.X-Sammy-Pace-Kbps = regsub(std.real(req.http.X-Sammy-Pace-Kbps, 0.0) * 8.192, "^0\.000$", "0");
    # Rename the members of another hop's receipt in Server-Timing, which may come from the cache. The player must use
    # only the receipt that is added below.
    if (resp.http.Server-Timing) {
        std.collect(resp.http.Server-Timing);
        set resp.http.Server-Timing = regsuball(resp.http.Server-Timing, "(?i)(^|,[ \t]*)(pace\b|tcp-)", "\1upstream-\2");
    }
    header.append(resp.http.CMSD-Dynamic, {""dashjs-sammy";io.github.dashjs-sammy-pace="} + req.http.X-Sammy-Pace-Kbps);
    header.append(resp.http.Server-Timing, {"pace;desc=""} + req.http.X-Sammy-Pace-Reason + {"""});
    header.append(resp.http.Access-Control-Expose-Headers, "CMSD-Dynamic, Server-Timing");
    # Allow any page to play the content and read its timing, unless the origin restricts this. Your own vcl_deliver may
    # override it.
    if (!resp.http.Timing-Allow-Origin) {
        set resp.http.Timing-Allow-Origin = "*";
    }
    if (!resp.http.Access-Control-Allow-Origin) {
        set resp.http.Access-Control-Allow-Origin = "*";
        if (req.method == "OPTIONS") {
            set resp.status = 200;
            set resp.http.Access-Control-Allow-Headers = "CMCD-Request, CMCD-Object, CMCD-Status, CMCD-Session, Range";
            if (req.http.Access-Control-Request-Headers ~ "^[A-Za-z0-9_, -]{1,500}$") {
                set resp.http.Access-Control-Allow-Headers =
                    resp.http.Access-Control-Allow-Headers + ", " + req.http.Access-Control-Request-Headers;
            }
        }
    }
}
sub vcl_deliver {
    # Skip ESI fragments: they are part of the response to their page, which has the pace.
    if (req.esi_level == 0) {
        call sammy_deliver;
    }
}
sub vcl_synth {
    tcp.set_socket_pace(2097151);
}
sub vcl_pipe {
    tcp.set_socket_pace(2097151);
}
