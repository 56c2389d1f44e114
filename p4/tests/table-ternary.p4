// The matching entry with the highest priority applies. A star matches any digit, and a missing key matches anything.
#include "include/plain.p4"

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    action set(bit<8> v) { hdr.data.e = v; }
    table t {
        key = {
            hdr.data.a : ternary;
            hdr.data.c : ternary;
            hdr.data.d : ternary;
        }
        actions = { set; @defaultonly NoAction; }
        default_action = NoAction;
    }

    apply {
        sm.egress_spec = 1;
        t.apply();
    }
}

#include "include/main.p4"
