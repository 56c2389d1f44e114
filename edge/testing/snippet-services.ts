import { readFileSync } from 'node:fs';

const folder = new URL('../vcl/snippets/', import.meta.url);
export const snippet = (name: string): string => readFileSync(new URL(name, folder), 'utf8');

/** An existing Varnish configuration that caches everything for a minute, with the snippets added. */
export const VARNISH_SERVICE = `vcl 4.1;
backend default { .host = "127.0.0.1"; .port = "1"; }
include "varnish-recv.vcl";
include "varnish-deliver.vcl";
sub vcl_recv { if (req.method == "OPTIONS") { return (pass); } return (hash); }
sub vcl_backend_response { set beresp.ttl = 1m; set beresp.grace = 1h; }
sub vcl_deliver { set resp.http.X-Cache = obj.hits; }
`.replace(/include "(.*)";/g, (_, name: string) => snippet(name));

/** The VCL that Fastly generates for a service with the snippets: each snippet is inserted at its macro. */
export const FASTLY_SERVICE = `
sub vcl_recv {
${snippet('fastly-recv.vcl')}
  set req.backend = F_origin;
  if (req.method == "OPTIONS") {
    return(pass);
  }
  return(lookup);
}
sub vcl_miss {
${snippet('fastly-miss-pass.vcl')}
  return(fetch);
}
sub vcl_pass {
${snippet('fastly-miss-pass.vcl')}
  return(pass);
}
sub vcl_fetch {
  set beresp.ttl = 60s;
  return(deliver);
}
sub vcl_deliver {
${snippet('fastly-deliver.vcl')}
  return(deliver);
}
`;
