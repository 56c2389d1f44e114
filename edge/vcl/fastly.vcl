# The VCL service in front of the Compute service at Fastly. VCL can pace a client's socket, but Compute cannot. This
# service therefore passes every request to the Compute service (edge/compute), and sets the socket's pace according to
# the response. varnish.vcl does the same in Varnish, where it is also tested. This file is tested in the tests' own
# interpreter and, if installed, in falco, a public linter and simulator, but not at Fastly itself.
#
# The service has two backends: `policy` is the Compute service's domain. `origin` has the content, and is used only
# while the policy is unreachable. docs/edge/fastly.md has the steps. Do not enable shielding here: shield the origin
# behind the Compute service instead.

sub vcl_recv {
#FASTLY recv

  # Remove internal headers from the client's request, because a client may request a pace only with CMCD.
  unset req.http.X-Sammy-Pace-Kbps;
  unset req.http.X-Sammy-Pace-Reason;
  unset req.http.X-Sammy-Rtp-Kbps;
  unset req.http.X-Sammy-Connection-Pace-Kbps;
  unset req.http.X-Sammy-Connection-Reason;
  unset req.http.X-Sammy-Congestion-Control;
  unset req.http.X-Sammy-Floor-Kbps;
  # The client's autonomous system number, for experiments that use it as the cluster. Replaces a header with this name
  # that the client has sent.
  set req.http.X-Sammy-Client-As = client.as.number;
  set req.backend = F_policy;
  if (req.restarts > 0) {
    # The policy is unreachable: send the request that the policy would have sent to the origin, so that playback
    # continues unpaced. If the content is below a path of the origin, add that path before req.url here.
    set req.backend = F_origin;
    unset req.http.X-Sammy-Client-As;
    unset req.http.CMCD-Request;
    unset req.http.CMCD-Object;
    unset req.http.CMCD-Status;
    unset req.http.CMCD-Session;
    unset req.http.Cookie;
    unset req.http.Authorization;
    # Do not send these to the origin: preflights, paths of other origins, and paths that the origin may decode
    # differently.
    if (req.method !~ "^(GET|HEAD)$") {
      error 503;
    }
    if (req.url ~ {"(?i)^(/via/|[^?]*(%(00|25|2f|5c)|\\|/(\.|%2e){2}(/|;|%3b|\?|$)))"}) {
      error 503;
    }
    # The letters of the parameter's name may be percent-encoded.
    if (req.url ~ {"[?&](?:C|%43)(?:M|%4[dD])(?:C|%43)(?:D|%44)(?:=|&|$)"}) {
      set req.url = regsub(regsuball(req.url, {"(?<=[?&])(?:C|%43)(?:M|%4[dD])(?:C|%43)(?:D|%44)(?:=[^&]*)?(?:&|$)"}, ""), {"[?&]$"}, "");
    }
  }
  # Each request has its own pace, so responses of the policy are not cached here. Content is cached behind the
  # policy.
  return(pass);
}

sub vcl_fetch {
#FASTLY fetch
  if (req.restarts == 0) {
    # The policy gives every response a reason, except to preflights. An error without a reason is not from the policy.
    if (beresp.status >= 500) {
      if (!beresp.http.X-Sammy-Pace-Reason) {
        return(restart);
      }
    }
  } else {
    # In a response of the origin, keep Access-Control-Allow-Origin, and remove internal headers.
    unset beresp.http.X-Sammy-Pace-Kbps;
    unset beresp.http.X-Sammy-Connection-Pace-Kbps;
    unset beresp.http.X-Sammy-Connection-Reason;
    unset beresp.http.X-Sammy-Congestion-Control;
    unset beresp.http.X-Sammy-Floor-Kbps;
    unset beresp.http.Set-Cookie;
    set beresp.http.X-Sammy-Pace-Reason = "policy-unreachable";
    if (beresp.status >= 400) {
      set beresp.http.X-Sammy-Pace-Reason = "error-response";
    }
    if (!beresp.http.Access-Control-Allow-Origin) {
      set beresp.http.Access-Control-Allow-Origin = "*";
    }
    if (beresp.http.Access-Control-Expose-Headers) {
      set beresp.http.Access-Control-Expose-Headers = beresp.http.Access-Control-Expose-Headers
        ", CMSD-Dynamic, Server-Timing, Content-Length, Content-Range, Date";
    } else {
      set beresp.http.Access-Control-Expose-Headers = "CMSD-Dynamic, Server-Timing, Content-Length, Content-Range, Date";
    }
    if (!beresp.http.Timing-Allow-Origin) {
      set beresp.http.Timing-Allow-Origin = "*";
    }
  }
  set beresp.do_stream = true;
  return(pass);
}

sub vcl_deliver {
#FASTLY deliver

  # The socket's pace in KB/s (1,024 bytes), rounded up so that it is not below the requested pace. VCL cannot unset a
  # pace, so a response without a pace sets 2,097,151 KB/s (17 Gbit/s). Otherwise, the previous pace would remain.
  declare local var.pace INTEGER;
  declare local var.sum INTEGER;
  declare local var.kbps FLOAT;
  declare local var.socket_kbps FLOAT;
  declare local var.count INTEGER;
  declare local var.ms FLOAT;
  declare local var.cmsd STRING;
  declare local var.timing STRING;
  declare local var.limit STRING;
  # The delivery rate in the receipt was measured on earlier responses, at the socket's previous pace. 0 means no pace.
  set var.limit = "";
  if (client.socket.pace > 0) {
    if (client.socket.pace < 2097151) {
      set var.limit = ";io.github.dashjs-sammy-etp-limit=pace";
    }
  }
  set var.pace = 2097151;
  set var.kbps = 0.0;
  set var.socket_kbps = 0.0;
  if (resp.http.X-Sammy-Pace-Kbps) {
    # The streams of an HTTP/2 connection share its socket, but VCL sees only one stream at a time and cannot add up
    # their paces. The plug-in sends the sum, and the latest response sets the socket's pace to the sum. Without a sum,
    # the connection is not paced, because the pace of audio would slow down video.
    if (fastly_info.is_h2) {
      set resp.http.X-Sammy-Pace-Reason = "shared-connection";
      if (resp.http.X-Sammy-Connection-Reason) {
        set resp.http.X-Sammy-Pace-Reason = resp.http.X-Sammy-Connection-Reason;
      }
      if (!resp.http.X-Sammy-Connection-Pace-Kbps) {
        unset resp.http.X-Sammy-Pace-Kbps;
        unset resp.http.X-Sammy-Congestion-Control;
      }
    }
    # HTTP/3 uses UDP, on which TCP pacing has no effect.
    if (fastly_info.is_h3) {
      unset resp.http.X-Sammy-Pace-Kbps;
      unset resp.http.X-Sammy-Congestion-Control;
      set resp.http.X-Sammy-Pace-Reason = "shared-connection";
    }
  }
  if (resp.http.X-Sammy-Pace-Kbps ~ "^[0-9]{1,9}(\.[0-9]+)?$") {
    set var.pace = std.atoi(resp.http.X-Sammy-Pace-Kbps);
    set var.pace *= 1000;
    set var.pace += 8191;
    set var.pace /= 8192;
    # The smallest value of client.socket.pace is 128.
    if (var.pace < 128) {
      set var.pace = 128;
      set resp.http.X-Sammy-Pace-Reason = "floor";
    }
    if (var.pace > 2097151) {
      set var.pace = 2097151;
      set resp.http.X-Sammy-Pace-Reason = "ceiling";
    }
    # The response's pace in kbit/s, for the receipt. 1 KB/s is 8.192 kbit/s.
    set var.kbps = var.pace;
    set var.kbps *= 8.192;
    if (fastly_info.is_h2) {
      set var.sum = std.atoi(resp.http.X-Sammy-Connection-Pace-Kbps);
      set var.sum *= 1000;
      set var.sum += 8191;
      set var.sum /= 8192;
      if (var.sum > var.pace) {
        set var.pace = var.sum;
      }
      if (var.pace > 2097151) {
        set var.pace = 2097151;
      }
    }
    set var.socket_kbps = var.pace;
    set var.socket_kbps *= 8.192;
  }
  set client.socket.pace = var.pace;
  if (resp.http.X-Sammy-Congestion-Control ~ "^(cubic|reno|bbr)$") {
    set client.socket.congestion_algorithm = resp.http.X-Sammy-Congestion-Control;
  }

  # Add the receipt (see src/wire/receipt.ts) after the origin's values, because the hop nearest to the player must be
  # last. Another hop's receipt is renamed, as in edge/headers/inner-receipt.ts, because it may come from a cache. A
  # response without a reason is a preflight response, and gets no receipt.
  if (resp.http.X-Sammy-Pace-Reason) {
    # Initialize strings, because an unset string is printed as (null).
    set var.cmsd = "";
    set var.timing = "";
    if (resp.http.CMSD-Dynamic) {
      set var.cmsd = resp.http.CMSD-Dynamic ", ";
    }
    if (resp.http.Server-Timing) {
      set var.timing = regsuball(resp.http.Server-Timing, "(?i)(^|,[ \t]*)(pace\b|tcp-)", "\1upstream-\2");
      set var.timing = var.timing ", ";
    }
    set var.cmsd = var.cmsd {""dashjs-sammy""};
    set var.timing = var.timing {"pace;desc=""} resp.http.X-Sammy-Pace-Reason {"""};
    if (client.socket.tcp_info) {
      # Bytes/s to kbit/s.
      set var.count = client.socket.tcpi_delivery_rate;
      set var.count *= 8;
      set var.count /= 1000;
      if (var.count > 0) {
        set var.cmsd = var.cmsd ";etp=" var.count var.limit;
      }
      # Microseconds to milliseconds.
      set var.ms = client.socket.tcpi_rtt;
      set var.ms /= 1000;
      set var.count = client.socket.tcpi_rtt;
      set var.count += 500;
      set var.count /= 1000;
      set var.cmsd = var.cmsd ";rtt=" var.count;
      set var.timing = var.timing ", tcp-rtt;dur=" var.ms;
      set var.ms = client.socket.tcpi_min_rtt;
      set var.ms /= 1000;
      set var.timing = var.timing ", tcp-minrtt;dur=" var.ms;
      # Fastly counts retransmitted segments. Each counts as a full segment without headers.
      set var.count = client.socket.tcpi_total_retrans;
      set var.count *= client.socket.tcpi_snd_mss;
      set var.timing = var.timing {", tcp-retransmitted;desc=""} var.count {"""};
      set var.count = client.socket.tcpi_data_segs_out;
      set var.count *= client.socket.tcpi_snd_mss;
      set var.timing = var.timing {", tcp-sent;desc=""} var.count {"""};
      set var.timing = var.timing
        {", tcp-cwnd;desc=""} client.socket.tcpi_snd_cwnd {"""};
      set var.timing = var.timing
        {", tcp-cc;desc=""} client.socket.congestion_algorithm {"""};
    }
    if (var.kbps > 0.0) {
      set var.cmsd = var.cmsd ";io.github.dashjs-sammy-pace=" var.kbps;
      if (var.socket_kbps > var.kbps) {
        set var.cmsd = var.cmsd ";io.github.dashjs-sammy-socket-pace=" var.socket_kbps;
      }
    } else {
      set var.cmsd = var.cmsd ";io.github.dashjs-sammy-pace=0";
    }
    set var.timing = var.timing
      {", tcp-connection;desc=""} server.identity "-" client.port {"""};
    set resp.http.CMSD-Dynamic = var.cmsd;
    set resp.http.Server-Timing = var.timing;
  }
  unset resp.http.X-Sammy-Pace-Kbps;
  unset resp.http.X-Sammy-Pace-Reason;
  unset resp.http.X-Sammy-Rtp-Kbps;
  unset resp.http.X-Sammy-Connection-Pace-Kbps;
  unset resp.http.X-Sammy-Connection-Reason;
  unset resp.http.X-Sammy-Congestion-Control;
  unset resp.http.X-Sammy-Floor-Kbps;
  return(deliver);
}

sub vcl_error {
#FASTLY error
  if (req.restarts == 0) {
    if (obj.status >= 500) {
      return(restart);
    }
  }
  # The origin is unreachable, too, or must not receive this request. With the CORS header, a player on any page can
  # read the 503 and retry. The next subroutine is deliver.
  set obj.http.Access-Control-Allow-Origin = "*";
  set obj.http.Cache-Control = "no-store";
  set obj.http.X-Sammy-Pace-Reason = "error-response";
  if (req.method == "OPTIONS") {
    set obj.status = 204;
    set obj.http.Access-Control-Allow-Methods = "GET, HEAD";
    set obj.http.Access-Control-Allow-Headers = "CMCD-Request, CMCD-Object, CMCD-Status, CMCD-Session, Range";
    # Allow the headers that the browser requests, like edge/cors.ts.
    if (req.http.Access-Control-Request-Headers ~ "^[A-Za-z0-9_, -]{1,500}$") {
      set obj.http.Access-Control-Allow-Headers =
        obj.http.Access-Control-Allow-Headers ", " req.http.Access-Control-Request-Headers;
    }
    unset obj.http.X-Sammy-Pace-Reason;
  }
  return(deliver);
}

sub vcl_log {
#FASTLY log
}
