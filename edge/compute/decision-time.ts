import { decidePace, paceLimits } from '../policy.ts';

export interface DecisionTime {
  /** The time of the first decision of a fresh instance, µs. On Fastly, each request runs in a fresh instance. */
  readonly first_us: number;
  /** The mean time of the later decisions, µs. */
  readonly next_us: number;
}

/** Measures how long decidePace takes for a request of dash.js, in Node or compiled to WebAssembly. */
export function timeDecisions(count: number): DecisionTime {
  const cmcd =
    'bl=21300,br=3300,com.example-pace="a",d=2000,dl=21300,mtp=25400,nor="..%2F2.m4s",ot=v,rtp=9900,sf=d,sid="6e2fb550",st=v,tb=3300';
  const request = {
    url: `https://edge.example/video/1.m4s?CMCD=${encodeURIComponent(cmcd)}`,
    headers: new Headers(),
  };
  const limits = paceLimits({ floor_kbps: 1049, ceiling_kbps: 50_000 });
  const began = performance.now();
  decidePace(request, limits);
  const first = performance.now();
  for (let done = 0; done < count; done++) decidePace(request, limits);
  return { first_us: (first - began) * 1000, next_us: ((performance.now() - first) * 1000) / count };
}
