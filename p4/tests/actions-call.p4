// P4_16 §14.1.1: actions called from the control and from actions.
#include "include/plain.p4"

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    action add(inout bit<32> to, in bit<32> v) { to = to + v; }
    action twice(bit<32> v) {
        add(hdr.data.b, v);
        add(hdr.data.b, v);
    }

    apply {
        sm.egress_spec = 1;
        bit<32> v = 3;
        add(hdr.data.a, v);
        twice(4);
    }
}

#include "include/main.p4"
