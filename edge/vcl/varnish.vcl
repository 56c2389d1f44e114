vcl 4.1;

# Serves clients, and paces their sockets according to the policy behind it: edge/compute in Fastly's network or in
# Viceroy, or any other runtime of edge/handler.ts. For Varnish 7 on Linux with varnish-modules (vmod tcp). fastly.vcl
# does the same at Fastly. edge/vcl/shims.test.ts and edge/cases.test.ts check that both files agree with the TypeScript
# code. Only the addresses of the two backends need to be changed.

import std;
import tcp;

backend policy {
    .host = "127.0.0.1";
    .port = "7676";
    # While the policy's host is down, each request waits for this long before it is sent to the origin instead.
    .connect_timeout = 1s;
    # Longer than the policy's timeout of 10 s for the origin, so that its error response arrives here.
    .first_byte_timeout = 15s;
    .between_bytes_timeout = 15s;
    # Without the probe, a policy that accepts connections and sends nothing would delay each request by 15 s. With the
    # probe, the policy counts as sick when two of three probes have failed, within 14 s. Requests then go to the origin
    # immediately, until the policy has answered two probes.
    .probe = {
        # The policy answers a preflight itself, without the origin.
        .request = "OPTIONS / HTTP/1.1" "Host: policy" "Connection: close";
        .expected_response = 204;
        .interval = 5s;
        .timeout = 4s;
        .window = 3;
        .threshold = 2;
        # The policy counts as healthy at the start, so that the first requests are paced.
        .initial = 3;
    }
}

# The content. Used only while the policy is unreachable.
backend origin {
    .host = "127.0.0.1";
    .port = "8080";
}

sub vcl_recv {
    # Remove internal headers from the client's request, because a client may request a pace only with CMCD.
    unset req.http.X-Sammy-Pace-Kbps;
    unset req.http.X-Sammy-Pace-Reason;
    unset req.http.X-Sammy-Rtp-Kbps;
    unset req.http.X-Sammy-Connection-Pace-Kbps;
    unset req.http.X-Sammy-Connection-Reason;
    unset req.http.X-Sammy-Congestion-Control;
    unset req.http.X-Sammy-Floor-Kbps;
    # Varnish does not know autonomous systems. With a vmod that does, set this header to the client's number after this
    # line.
    unset req.http.X-Sammy-Client-As;
    # Ignore an invalid Range, as RFC 9110 §14.2 allows, because Varnish would answer 503.
    if (req.http.Range !~ "(?i)^bytes=([0-9]+-[0-9]*|-[0-9]+)$") {
        unset req.http.Range;
    }
    if (req.restarts > 0) {
        call ask_origin;
    }
    # Each request has its own pace, so responses of the policy are not cached here. Content is cached behind the
    # policy.
    return (pass);
}

# While the policy is unreachable, sends the request that the policy would have sent to the origin, so that playback
# continues unpaced. If the content is below a path of the origin, add that path before req.url at the end of this
# subroutine.
sub ask_origin {
    # Do not send these to the origin: preflights, paths of other origins, and paths that the origin may decode
    # differently than the policy.
    if (req.method !~ "^(GET|HEAD)$" ||
        req.url ~ "(?i)^(/via/|[^?]*(%(00|25|2f|5c)|\\|/(\.|%2e){2}(/|;|%3b|\?|$)))") {
        return (synth(503));
    }
    set req.backend_hint = origin;
    unset req.http.CMCD-Request;
    unset req.http.CMCD-Object;
    unset req.http.CMCD-Status;
    unset req.http.CMCD-Session;
    unset req.http.Cookie;
    # Remove this line if the policy forwards Authorization (forward_headers).
    unset req.http.Authorization;
    # The letters of the parameter's name may be percent-encoded.
    if (req.url ~ "[?&](?:C|%43)(?:M|%4[dD])(?:C|%43)(?:D|%44)(?:=|&|$)") {
        set req.url = regsub(regsuball(req.url, "(?<=[?&])(?:C|%43)(?:M|%4[dD])(?:C|%43)(?:D|%44)(?:=[^&]*)?(?:&|$)", ""), "[?&]$", "");
    }
}

sub vcl_backend_error {
    set beresp.http.Cache-Control = "no-store";
}

# Sets the socket's pace, and stores the paces for the receipt in headers: the response's pace in X-Sammy-Pace-Kbps, and
# the socket's pace in X-Sammy-Connection-Pace-Kbps.
sub pace_client {
    if (req.proto ~ "^HTTP/2") {
        # The streams of an HTTP/2 connection share its socket, but VCL sees only one stream at a time and cannot add up
        # their paces. The plug-in sends the sum, and the latest response sets the socket's pace to the sum. Without a
        # sum, the connection is not paced, because the pace of audio would slow down video.
        if (resp.http.X-Sammy-Pace-Kbps) {
            set resp.http.X-Sammy-Pace-Reason = "shared-connection";
        }
        if (resp.http.X-Sammy-Connection-Reason) {
            set resp.http.X-Sammy-Pace-Reason = resp.http.X-Sammy-Connection-Reason;
        }
        if (!resp.http.X-Sammy-Connection-Pace-Kbps) {
            call serve_unpaced;
        }
    } else {
        set resp.http.X-Sammy-Connection-Pace-Kbps = resp.http.X-Sammy-Pace-Kbps;
    }
    # A program that terminates TLS in front of Varnish sends the client's address with the PROXY protocol. The socket
    # here is then not the client's: a pace would only slow the data to that program, which forwards it in bursts. The
    # same applies to a Unix socket, which has no address.
    if (resp.http.X-Sammy-Pace-Kbps && ("" + client.ip != "" + remote.ip || "" + remote.ip == "0.0.0.0")) {
        call serve_unpaced;
        set resp.http.X-Sammy-Pace-Reason = "not-client-socket";
    }
    # The minimum is 100 kbit/s, as in edge/local, because with a lower pace, TCP would delay the next response by many
    # seconds.
    if (resp.http.X-Sammy-Pace-Kbps ~ "^[0-9]{1,2}(\.[0-9]+)?$") {
        set resp.http.X-Sammy-Pace-Kbps = "100";
        set resp.http.X-Sammy-Pace-Reason = "floor";
    }
    if (resp.http.X-Sammy-Connection-Pace-Kbps ~ "^[0-9]{1,2}(\.[0-9]+)?$") {
        set resp.http.X-Sammy-Connection-Pace-Kbps = "100";
    }
    # The maximum is 2,097,151 KB/s (17 Gbit/s), because vmod tcp has a signed 32-bit integer for bytes/s.
    if (std.real(resp.http.X-Sammy-Pace-Kbps, 0.0) > 17179860.0) {
        set resp.http.X-Sammy-Pace-Kbps = "17179860";
        set resp.http.X-Sammy-Pace-Reason = "ceiling";
    }
    if (std.real(resp.http.X-Sammy-Connection-Pace-Kbps, 0.0) > 17179860.0) {
        set resp.http.X-Sammy-Connection-Pace-Kbps = "17179860";
    }
    # The pace in KB/s (1,024 bytes), rounded up so that it is not below the requested pace. It cannot be unset, so a
    # response without a pace sets the maximum. Otherwise, the previous response's pace would remain.
    if (resp.http.X-Sammy-Connection-Pace-Kbps ~ "^[0-9]+(\.[0-9]+)?$") {
        set resp.http.X-Sammy-Connection-Pace-Kbps =
            (std.integer(real = std.real(resp.http.X-Sammy-Connection-Pace-Kbps, 0.0) * 1000.0) + 8191) / 8192;
        tcp.set_socket_pace(std.integer(resp.http.X-Sammy-Connection-Pace-Kbps, 2097151));
        # The socket's pace for the receipt: 1 KB/s is 8.192 kbit/s.
        set resp.http.X-Sammy-Connection-Pace-Kbps = std.real(resp.http.X-Sammy-Connection-Pace-Kbps, 0.0) * 8.192;
        set resp.http.X-Sammy-Pace-Kbps =
            (std.integer(real = std.real(resp.http.X-Sammy-Pace-Kbps, 0.0) * 1000.0) + 8191) / 8192;
        set resp.http.X-Sammy-Pace-Kbps = std.real(resp.http.X-Sammy-Pace-Kbps, 0.0) * 8.192;
    } else {
        tcp.set_socket_pace(2097151);
        set resp.http.X-Sammy-Pace-Kbps = "0";
        set resp.http.X-Sammy-Connection-Pace-Kbps = "0";
    }
    if (resp.http.X-Sammy-Congestion-Control ~ "^(cubic|reno|bbr)$") {
        set resp.http.X-Sammy-Congestion-Control =
            tcp.congestion_algorithm(resp.http.X-Sammy-Congestion-Control);
    }
}

# Serves the response unpaced. Removes the policy's congestion control if the policy chose it for a paced response.
sub serve_unpaced {
    if (resp.http.X-Sammy-Pace-Kbps) {
        unset resp.http.X-Sammy-Congestion-Control;
    }
    unset resp.http.X-Sammy-Pace-Kbps;
    unset resp.http.X-Sammy-Connection-Pace-Kbps;
}

# Adds the receipt (see src/wire/receipt.ts) after the origin's values, because the hop nearest to the player must be
# last. The only TCP statistic of vmod tcp is the RTT, in whole milliseconds. Another hop's receipt is renamed, as in
# edge/headers/inner-receipt.ts, because it may come from a cache. Its other statistics would look like this hop's.
sub write_receipt {
    std.collect(resp.http.CMSD-Dynamic);
    std.collect(resp.http.Server-Timing);
    set resp.http.Server-Timing = regsuball(resp.http.Server-Timing, "(?i)(^|,[ \t]*)(pace\b|tcp-)", "\1upstream-\2");
    if (resp.http.CMSD-Dynamic) {
        set resp.http.CMSD-Dynamic = resp.http.CMSD-Dynamic + ", ";
    }
    if (resp.http.Server-Timing != "") {
        set resp.http.Server-Timing = resp.http.Server-Timing + ", ";
    }
    set resp.http.CMSD-Dynamic = resp.http.CMSD-Dynamic + {""dashjs-sammy""};
    set resp.http.Server-Timing = resp.http.Server-Timing + {"pace;desc=""} + resp.http.X-Sammy-Pace-Reason + {"""};
    if (tcp.get_estimated_rtt() > 0.0) {
        set resp.http.CMSD-Dynamic = resp.http.CMSD-Dynamic + ";rtt=" + std.integer(real = tcp.get_estimated_rtt());
        set resp.http.Server-Timing = resp.http.Server-Timing + ", tcp-rtt;dur=" + tcp.get_estimated_rtt();
    }
    set resp.http.CMSD-Dynamic =
        resp.http.CMSD-Dynamic + ";io.github.dashjs-sammy-pace=" + resp.http.X-Sammy-Pace-Kbps;
    if (resp.http.X-Sammy-Connection-Pace-Kbps != resp.http.X-Sammy-Pace-Kbps) {
        set resp.http.CMSD-Dynamic = resp.http.CMSD-Dynamic + ";io.github.dashjs-sammy-socket-pace=" +
            resp.http.X-Sammy-Connection-Pace-Kbps;
    }
    set resp.http.Server-Timing = resp.http.Server-Timing + {", tcp-connection;desc=""} + sess.xid + {"""};
}

# Prepares a response of the origin: keeps its CORS headers, and removes internal headers.
sub without_policy {
    unset resp.http.X-Sammy-Pace-Kbps;
    unset resp.http.X-Sammy-Connection-Pace-Kbps;
    unset resp.http.X-Sammy-Connection-Reason;
    unset resp.http.X-Sammy-Congestion-Control;
    unset resp.http.X-Sammy-Floor-Kbps;
    unset resp.http.Set-Cookie;
    set resp.http.X-Sammy-Pace-Reason = "policy-unreachable";
    if (resp.status >= 400) {
        set resp.http.X-Sammy-Pace-Reason = "error-response";
    }
    if (!resp.http.Access-Control-Allow-Origin) {
        set resp.http.Access-Control-Allow-Origin = "*";
    }
    if (resp.http.Access-Control-Expose-Headers) {
        std.collect(resp.http.Access-Control-Expose-Headers);
        set resp.http.Access-Control-Expose-Headers = resp.http.Access-Control-Expose-Headers + ", ";
    }
    set resp.http.Access-Control-Expose-Headers =
        resp.http.Access-Control-Expose-Headers + "CMSD-Dynamic, Server-Timing, Content-Length, Content-Range, Date";
    if (!resp.http.Timing-Allow-Origin) {
        set resp.http.Timing-Allow-Origin = "*";
    }
}

sub vcl_deliver {
    # The policy gives every response a reason, except to preflights. An error without a reason is not from the policy.
    if (req.restarts == 0 && resp.status >= 500 && !resp.http.X-Sammy-Pace-Reason) {
        return (restart);
    }
    if (req.restarts > 0) {
        call without_policy;
    }
    # Skip ESI fragments: they are part of the response to their page, which has the pace.
    if (req.esi_level == 0) {
        call pace_client;
        # A response without a reason is a preflight response, and gets no receipt.
        if (resp.http.X-Sammy-Pace-Reason) {
            call write_receipt;
        }
    }
    unset resp.http.X-Sammy-Pace-Kbps;
    unset resp.http.X-Sammy-Pace-Reason;
    unset resp.http.X-Sammy-Rtp-Kbps;
    unset resp.http.X-Sammy-Connection-Pace-Kbps;
    unset resp.http.X-Sammy-Connection-Reason;
    unset resp.http.X-Sammy-Congestion-Control;
    unset resp.http.X-Sammy-Floor-Kbps;
}

sub vcl_synth {
    # Varnish's own response to an invalid request, or to a request that must not go to the origin. With the CORS
    # header, a player on any page can read the 503 and retry.
    tcp.set_socket_pace(2097151);
    set resp.http.Access-Control-Allow-Origin = "*";
    set resp.http.Cache-Control = "no-store";
    if (req.method == "OPTIONS" && req.restarts > 0) {
        set resp.status = 204;
        set resp.http.Access-Control-Allow-Methods = "GET, HEAD";
        set resp.http.Access-Control-Allow-Headers = "CMCD-Request, CMCD-Object, CMCD-Status, CMCD-Session, Range";
        # Allow the headers that the browser requests, like edge/cors.ts.
        if (req.http.Access-Control-Request-Headers ~ "^[A-Za-z0-9_, -]{1,500}$") {
            set resp.http.Access-Control-Allow-Headers =
                resp.http.Access-Control-Allow-Headers + ", " + req.http.Access-Control-Request-Headers;
        }
    }
}
