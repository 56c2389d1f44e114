// P4_16 §14.2.1.2: the program binds the directed parameters, and the control plane supplies the others.
#include "include/plain.p4"

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    action put(inout bit<32> to, bit<32> v) { to = to + v; }
    table t {
        key = { hdr.data.d : exact; }
        actions = { put(hdr.data.a); NoAction; }
    }

    apply {
        sm.egress_spec = 1;
        t.apply();
    }
}

#include "include/main.p4"
