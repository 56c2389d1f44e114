// The control-plane name of the key `hdr.data.isValid()` is `hdr.data.$valid$`.
#include "include/plain.p4"

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    action set(bit<8> v) { hdr.data.e = v; }
    table t {
        key = { hdr.data.isValid() : exact; }
        actions = { set; NoAction; }
    }

    apply {
        sm.egress_spec = 1;
        t.apply();
    }
}

#include "include/main.p4"
