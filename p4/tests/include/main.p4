V1Switch(parse(), checked_sums(), ingress(), egress(), compute(), deparse()) main;
