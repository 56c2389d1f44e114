// P4_16 §8.18: headers are invalid until they are set valid, extracted or assigned. Two invalid headers are equal.
#include "include/plain.p4"

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        data_t other;
        if (!other.isValid()) { hdr.data.a = 5; }
        other.setValid();
        other = hdr.data;
        other.b = 77;
        hdr.data.b = other.b;
        other.setInvalid();
        hdr.data.c = other.isValid() ? 16w1 : 16w0;
        data_t third = { 1, 2, 3, 4, 5 };
        hdr.data.d = third.isValid() ? third.d : 8w0;
        if (third == other) { hdr.data.e = 1; } else { hdr.data.e = 2; }
        other = (data_t) {#};
        third.setInvalid();
        if (third == other) { hdr.data.e = hdr.data.e + 16; }
    }
}

#include "include/main.p4"
