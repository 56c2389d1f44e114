// v1model: an optional key matches one value, or any.
#include "include/plain.p4"

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    action set(bit<8> v) { hdr.data.e = v; }
    table t {
        key = {
            hdr.data.c : optional;
            hdr.data.d : optional @name("d");
        }
        actions = { set; NoAction; }
        const entries = {
            (1, 2) : set(1);
            (_, 2) : set(2);
        }
    }

    apply {
        sm.egress_spec = 1;
        t.apply();
    }
}

#include "include/main.p4"
