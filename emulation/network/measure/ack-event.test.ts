import { describe, expect, it } from 'vitest';
import { parseAckEvent } from './ack-event.ts';

const line = (fields: { family?: string; dest?: string; ssthresh?: number; task?: string } = {}) =>
  `${(fields.task ?? 'python3-14099').padStart(24)}   [001] ..s2. 12288.556951: tcp_probe: ` +
  `family=${fields.family ?? 'AF_INET'} src=100.64.0.1:8080 dest=${fields.dest ?? '100.64.0.2:53130'} mark=0x0 ` +
  `data_len=2 snd_nxt=0xaef3d8ba snd_una=0xaef3d312 snd_cwnd=11 ssthresh=${fields.ssthresh ?? 9} ` +
  'snd_wnd=100352 srtt=5024 rcv_wnd=65536 sock_cookie=1f skbaddr=00000000982da7e0 skaddr=00000000276bfe14';

describe('parseAckEvent', () => {
  it('reads time, flow, RTT and window', () => {
    const event = parseAckEvent(line());
    expect(event).toEqual({
      t_ms: expect.closeTo(12_288_556.951, 6) as number,
      flow: '100.64.0.2:53130',
      server_port: 8080,
      snd_nxt: 0xaef3d8ba,
      snd_una: 0xaef3d312,
      srtt_ms: 5.024,
      cwnd_packets: 11,
      ssthresh_packets: 9,
    });
  });

  it('reads an infinite threshold', () => {
    expect(parseAckEvent(line({ ssthresh: 2147483647 }))?.ssthresh_packets).toBe(Infinity);
  });

  it('converts IPv4-mapped addresses of an IPv6 socket', () => {
    const family = 'AF_INET6';
    expect(parseAckEvent(line({ family, dest: '[::ffff:100.64.0.2]:53130' }))?.flow).toBe('100.64.0.2:53130');
    expect(parseAckEvent(line({ family, dest: '[fd00::2]:53130' }))?.flow).toBe('[fd00::2]:53130');
  });

  it('ignores a task name that looks like a field', () => {
    expect(parseAckEvent(line({ task: 'a 1.000000: b dest=x-12' }))?.flow).toBe('100.64.0.2:53130');
  });

  it.each(['', 'CPU:1 [LOST 1234 EVENTS]', '# tracer: nop', line().replace('tcp_probe', 'tcp_bad')])(
    'ignores %j',
    (text) => {
      expect(parseAckEvent(text)).toBeUndefined();
    },
  );
});
