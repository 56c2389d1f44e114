/* The interface between a generated program and the switch. */

export interface Copyable {
  $copy(): this;
  $set(that: unknown): this;
}

/** v1model's standard_metadata_t in the representation of generated code. */
export interface StandardMetadata extends Copyable {
  ingress_port: number;
  egress_spec: number;
  egress_port: number;
  instance_type: number;
  packet_length: number;
  enq_timestamp: number;
  enq_qdepth: number;
  deq_timedelta: number;
  deq_qdepth: number;
  ingress_global_timestamp: bigint;
  egress_global_timestamp: bigint;
  mcast_grp: number;
  egress_rid: number;
  checksum_error: number;
  parser_error: number;
  priority: number;
}

export interface Generated {
  headers(): Copyable;
  metadata(): Copyable;
  standard(): StandardMetadata;
  parse(headers: Copyable, metadata: Copyable, standard: StandardMetadata): void;
  verifyChecksum(headers: Copyable, metadata: Copyable): void;
  ingress(headers: Copyable, metadata: Copyable, standard: StandardMetadata): void;
  egress(headers: Copyable, metadata: Copyable, standard: StandardMetadata): void;
  computeChecksum(headers: Copyable, metadata: Copyable): void;
  deparse(headers: Copyable): void;
  preserve(
    list: number,
    metadata: Copyable,
    standard: Copyable,
    toMetadata: Copyable,
    toStandard: Copyable,
  ): void;
}
