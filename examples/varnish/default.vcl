vcl 4.1;
backend default { .host = "127.0.0.1"; .port = "8082"; }
include "/etc/varnish/varnish-recv.vcl";
include "/etc/varnish/varnish-deliver.vcl";
