// Keys that are slices, and keys with a name.
#include "include/plain.p4"

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    action set(bit<8> v) { hdr.data.e = v; }
    table t {
        key = {
            hdr.data.a[15:8] : exact;
            hdr.data.a[7:0] : exact @name("tail");
        }
        actions = { set; NoAction; }
    }

    apply {
        sm.egress_spec = 1;
        t.apply();
    }
}

#include "include/main.p4"
