// v1model: a meter without rates says green, 0.
#include "include/plain.p4"

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    meter(4, MeterType.packets) m;

    apply {
        sm.egress_spec = 1;
        bit<2> color;
        m.execute_meter(0, color);
        hdr.data.a = (bit<32>) color;
    }
}

#include "include/main.p4"
