// The end of a name is enough for the control plane, but only whole parts of it: 'set' is not 'reset'.
#include "include/plain.p4"

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    register<bit<8>>(1) r;
    register<bit<8>>(1) rr;
    action set(bit<8> v) { hdr.data.e = v; }
    action reset() { hdr.data.e = 0; }
    table t {
        key = { hdr.data.d : exact; }
        actions = { reset; set; NoAction; }
    }
    table at {
        key = { hdr.data.d : exact; }
        actions = { NoAction; reset; }
    }

    apply {
        sm.egress_spec = 1;
        at.apply();
        t.apply();
        r.read(hdr.data.d, 0);
    }
}

#include "include/main.p4"
