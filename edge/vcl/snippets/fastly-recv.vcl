# For an existing Fastly VCL service, type recv: reads the pace that a player asks for by CMCD, and removes CMCD, so that it
# does not split the cache. This runs only at the POP that faces the client: a shield gets the URL without CMCD.
declare local var.cmcd STRING;
declare local var.kbps INTEGER;
declare local var.other INTEGER;
if (fastly.ff.visits_this_service == 0 && req.restarts == 0) {
  unset req.http.X-Sammy-Rtp-Kbps;
  unset req.http.X-Sammy-Sum-Kbps;
  set var.cmcd = "," urldecode(subfield(req.url.qs, "CMCD", "&")) ","
    if(req.http.CMCD-Object, req.http.CMCD-Object, "") "," if(req.http.CMCD-Status, req.http.CMCD-Status, "") ",";
  # A name within a quoted string is not a key. No group is repeated, which would exhaust PCRE in a long text.
  set var.cmcd = regsuball(regsuball(regsuball(var.cmcd, {"\\."}, ""), {""[^"]*""}, "~"), " ", "");
  # An rtp that is given twice, or not in digits, is ignored.
  if (var.cmcd !~ {",rtp=.*,rtp="} && var.cmcd ~ {",rtp=0*([1-9][0-9]{0,6})(?:\.0{1,3})?[;,]"}) {
    set var.kbps = std.atoi(re.group.1);
    # Other players than the plug-in may ask for less than they need, so they get at least 1.5 times the bitrate.
    if (var.cmcd !~ {",io\.github\.dashjs-sammy[;,]"} && var.cmcd ~ {",br=\(?([1-9][0-9]{0,6})(?:\.0{1,3})?[);,]"}) {
      set var.other = std.atoi(re.group.1);
      set var.other *= 3;
      set var.other += 1;
      set var.other /= 2;
      if (var.kbps < var.other) {
        set var.kbps = var.other;
      }
    }
    set req.http.X-Sammy-Rtp-Kbps = var.kbps;
    # The sum of the paces that the plug-in has under way, for a socket that its streams share. One that is given twice is ignored too.
    if (var.cmcd !~ {",io\.github\.dashjs-sammy-sum=.*,io\.github\.dashjs-sammy-sum="} && var.cmcd ~ {",io\.github\.dashjs-sammy-sum=0*([1-9][0-9]{0,6})(?:\.0{1,3})?[;,]"}) {
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
