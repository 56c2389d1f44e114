// P4_16 §8.18: assigning an invalid header makes the target invalid; the target's fields stay, as BMv2 has it.
// And a type parameter's name, as v1model's T, is free for a constant outside of what it is a parameter of.
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
