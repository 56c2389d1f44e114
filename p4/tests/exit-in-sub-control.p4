// P4_16 §12.5: exit in a sub-control ends the whole ingress, after copying out.
#include "include/plain.p4"

control sub(inout bit<32> x) {
    apply {
        x = x + 1;
        exit;
    }
}

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    sub() s;

    apply {
        sm.egress_spec = 1;
        s.apply(hdr.data.a);
        hdr.data.b = 9;
    }
}

#include "include/main.p4"
