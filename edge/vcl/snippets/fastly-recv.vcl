# For a Fastly VCL service that exists, type recv: reads the pace that a player asks for by CMCD, and takes CMCD off, so that
# it splits no cache. Only at the POP that faces the client: a shield gets the URL without it.
declare local var.cmcd STRING;
declare local var.kbps INTEGER;
declare local var.other INTEGER;
if (fastly.ff.visits_this_service == 0 && req.restarts == 0) {
  unset req.http.X-Sammy-Rtp-Kbps;
  unset req.http.X-Sammy-Sum-Kbps;
  set var.cmcd = "," urldecode(subfield(req.url.qs, "CMCD", "&")) ","
    if(req.http.CMCD-Object, req.http.CMCD-Object, "") "," if(req.http.CMCD-Status, req.http.CMCD-Status, "") ",";
  # Inside of quotes nothing is a key.
  set var.cmcd = regsuball(var.cmcd, {""([^"\\]|\\.)*"| "}, "");
  # Asked for twice, or not in digits: unpaced.
  if (var.cmcd !~ {",rtp=.*,rtp="} && var.cmcd ~ {",rtp=0*([1-9][0-9]{0,6})[;,]"}) {
    set var.kbps = std.atoi(re.group.1);
    # Players that are not the plug-in may ask for less than they need: at least 1.5 times the segment's bitrate.
    if (var.cmcd !~ {",io\.github\.dashjs-sammy[;,]"} && var.cmcd ~ {",br=\(?([1-9][0-9]{0,6})[);,]"}) {
      set var.other = std.atoi(re.group.1);
      set var.other *= 3;
      set var.other += 1;
      set var.other /= 2;
      if (var.kbps < var.other) {
        set var.kbps = var.other;
      }
    }
    set req.http.X-Sammy-Rtp-Kbps = var.kbps;
    # What the plug-in has under way together, for a socket that its streams share.
    if (var.cmcd ~ {",io\.github\.dashjs-sammy-sum=0*([1-9][0-9]{0,6})[;,]"}) {
      set var.other = std.atoi(re.group.1);
      if (var.other >= var.kbps) {
        set req.http.X-Sammy-Sum-Kbps = re.group.1;
      }
    }
  }
  set req.url = querystring.filter(req.url, "CMCD");
  unset req.http.CMCD-Request;
  unset req.http.CMCD-Object;
  unset req.http.CMCD-Status;
  unset req.http.CMCD-Session;
}
