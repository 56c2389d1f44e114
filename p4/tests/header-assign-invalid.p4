// P4_16 §8.18: assigning an invalid header makes the target invalid; the target's fields keep their values, as in BMv2.
// A constant may have the same name as a type parameter of another declaration, such as v1model's T.
#include "include/plain.p4"

const bit<8> T = 4;

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        data_t other;
        hdr.data = other;
        if (!hdr.data.isValid()) {
            hdr.data.setValid();
            hdr.data.e = (T) - 1;
        }
    }
}

#include "include/main.p4"
