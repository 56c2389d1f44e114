// v1model: a meter without rates returns green, 0.
#include "include/plain.p4"

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    meter(4, MeterType.packets) m;

    apply {
        sm.egress_spec = 1;
        bit<2> color;
        m.execute_meter(0, color);
        hdr.data.a = (bit<32>) color;
        hdr.data.e = color == V1MODEL_METER_COLOR_GREEN ? 8w0xaa : V1MODEL_METER_COLOR_RED;
    }
}

#include "include/main.p4"
