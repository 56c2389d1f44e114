# For an existing Fastly VCL service, type deliver: sets the client's socket to the pace from the recv snippet, and
# writes the receipt. A pace cannot be unset, so an unpaced response sets 2,097,151 KB/s (17 Gbit/s).
declare local var.pace INTEGER;
declare local var.receipt FLOAT;
declare local var.own STRING;
declare local var.reason STRING;
if (fastly.ff.visits_this_service == 0) {
  set var.own = "";
  set var.reason = if(req.http.X-Sammy-Rtp-Reason, req.http.X-Sammy-Rtp-Reason, "requested");
  if (!req.http.X-Sammy-Rtp-Kbps) {
    set var.reason = "no-rtp";
  } else if (resp.status >= 400) {
    set var.reason = "error-response";
  } else if (fastly_info.is_h2 && req.http.X-Sammy-Sum-Kbps) {
    # HTTP/2 streams share the socket, so set the sum of the paces of the plug-in's requests in flight.
    set var.pace = std.atoi(req.http.X-Sammy-Sum-Kbps);
    set var.own = req.http.X-Sammy-Rtp-Kbps ";io.github.dashjs-sammy-socket-pace=";
  } else if (fastly_info.is_h2 || fastly_info.is_h3) {
    set var.reason = "shared-connection";
  } else {
    set var.pace = std.atoi(req.http.X-Sammy-Rtp-Kbps);
  }
  # The pace in KB/s (1,024 bytes), rounded up, and at least 128, which is Fastly's minimum.
  set var.pace *= 1000;
  set var.pace += 8191;
  set var.pace /= 8192;
  if (var.pace > 0 && var.pace < 128) {
    set var.pace = 128;
    set var.reason = "floor";
  }
  set var.receipt = var.pace;
  set var.receipt *= 8.192;
  if (var.pace == 0) {
    set var.pace = 2097151;
  }
  set client.socket.pace = var.pace;
  # Rename the members of another hop's receipt in Server-Timing, which may come from the cache. The player must use
  # only the receipt that is added below.
  if (resp.http.Server-Timing) {
    std.collect(resp.http.Server-Timing);
    set resp.http.Server-Timing = regsuball(resp.http.Server-Timing, "(?i)(^|,[ \t]*)(pace\b|tcp-)", "\1upstream-\2");
  }
  add resp.http.CMSD-Dynamic = {""dashjs-sammy";io.github.dashjs-sammy-pace="} var.own var.receipt;
  add resp.http.Server-Timing = {"pace;desc=""} var.reason {"""};
  add resp.http.Access-Control-Expose-Headers = "CMSD-Dynamic, Server-Timing";
  # Allow any page to play the content and read its timing, unless your VCL or the origin restricts this.
  set resp.http.Timing-Allow-Origin = if(resp.http.Timing-Allow-Origin, resp.http.Timing-Allow-Origin, "*");
  if (!resp.http.Access-Control-Allow-Origin) {
    set resp.http.Access-Control-Allow-Origin = "*";
    if (req.method == "OPTIONS") {
      set resp.status = 200;
      set resp.http.Access-Control-Allow-Headers = "CMCD-Request, CMCD-Object, CMCD-Status, CMCD-Session, Range";
      if (req.http.Access-Control-Request-Headers ~ "^[A-Za-z0-9_, -]{1,500}$") {
        set resp.http.Access-Control-Allow-Headers =
          resp.http.Access-Control-Allow-Headers ", " req.http.Access-Control-Request-Headers;
      }
    }
  }
}
