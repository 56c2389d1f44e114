// Runs in the test player's page. Times, in turns on one player, dash.js's own ABR decision and the same call with
// Sammy's rule and one of the algorithms, plus the interceptor that chooses the pace and writes rtp into the URL.
/* global window, performance, setTimeout, fetch */

/**
 * The states in which algorithms decide: networks for which they choose different rungs, and buffers from nearly empty
 * to nearly full.
 */
const STATES = [
  { network_kbps: 1000, buffer_s: 4 },
  { network_kbps: 2500, buffer_s: 10 },
  { network_kbps: 6000, buffer_s: 20 },
];
/**
 * The rates of the latest downloads as shares of the network's rate. The algorithms compute errors and scenarios from
 * them.
 */
const SHARES = [1, 0.8, 1.3, 0.7, 1.1, 0.9, 1.2, 0.75, 1.25, 1];
const DOWNLOAD_MS = 30;
const [MIDDLE, TOP] = [2, -1];
/** The TCP statistics in the edge's receipt. Fugu's predictor uses all values. */
const RECEIPT = {
  'server-timing': [
    'pace;desc="requested"',
    'tcp-rtt;dur=45.2',
    'tcp-minrtt;dur=40.1',
    'tcp-cwnd;desc="24"',
    'tcp-state;desc="in_flight_packets=3,delivery_kbps=5200.5,app_limited=0"',
  ].join(', '),
};
/** Maximum time for dash.js to apply Sammy's first choice, so that no timed decision makes it switch. */
const SETTLED_WITHIN_MS = 5000;
/**
 * Number of decisions that are timed together, because the page's clock has steps of 5 µs. Medians are of the mean of
 * such a group.
 */
const TOGETHER = 10;

const passed = (time_ms) => new Promise((resolve) => setTimeout(resolve, time_ms));
const quantile = (values, share) => values.sort((a, b) => a - b)[Math.floor(share * (values.length - 1))];

export async function decisionCost({ rounds, calls, warmUp, algorithms }) {
  const { player } = window;
  const algorithmsOf = await import('/dist/dashjs-sammy-abr.js');
  const { abr, streamId, requestFor } = await whatIsAsked(player);
  const sidecar = window.sidecar(await longSidecar());
  const times = await (await fetch('/models/fugu-ttp.bin')).arrayBuffer();
  const models = {
    fugu: times,
    planner: times,
    pensieve: await (await fetch('/models/pensieve-ssim.bin')).arrayBuffer(),
  };
  const check = () => abr.checkPlaybackQuality('video', streamId);
  const costs = new Map(['dashjs', ...algorithms].map((name) => [name, { single: [], mean: [] }]));
  const time = async (name, decide) => {
    const { single, mean } = costs.get(name);
    for (let call = 0; call < warmUp; call++) await decide();
    const at = new Float64Array(calls + 1);
    at[0] = performance.now();
    for (let call = 1; call <= calls; call++) {
      await decide();
      at[call] = performance.now();
    }
    for (let call = 1; call <= calls; call++) single.push((at[call] - at[call - 1]) * 1000);
    for (let call = TOGETHER; call <= calls; call += TOGETHER)
      mean.push(((at[call] - at[call - TOGETHER]) * 1000) / TOGETHER);
  };

  for (let round = 0; round < rounds; round++) {
    for (const state of STATES) {
      player.seek(2);
      await settled(check);
      await time('dashjs', check);
      for (const name of algorithms) {
        player.seek(2);
        const algorithm = algorithmsOf[name](models[name] ? { model: models[name] } : {});
        const attached = await attachWith({ player, requestFor, sidecar, state, abr: algorithm });
        await settled(check);
        await time(name, () => {
          // Process a new response first, so that the algorithm cannot reuse its previous result.
          if (attached.isPolicy) attached.hear();
          check();
          return attached.ask();
        });
        attached.detach();
      }
    }
  }
  return [...costs].map(([name, { single, mean }]) => ({
    name,
    median_us: quantile(mean, 0.5),
    p99_us: quantile(single, 0.99),
  }));
}

/** Returns dash.js's ABR controller, and a request for a video segment of a middle rung. */
async function whatIsAsked(player) {
  // This rule never requests a change. It only captures dash.js's ABR controller.
  const context = new Promise((resolve) => {
    const probe = {
      getClassName: () => 'Probe',
      reset: () => undefined,
      getSwitchRequest: (rules) => {
        if (rules.getMediaInfo().type === 'video') resolve(rules);
        return { representation: null, priority: 0.5, reason: null };
      },
    };
    player.addABRCustomRule('qualitySwitchRules', 'Probe', () => ({ create: () => probe }));
  });
  const fragment = new Promise((resolve) => {
    player.on('fragmentLoadingCompleted', ({ request }) => {
      if (request.type === 'MediaSegment' && request.mediaType === 'video') resolve(request);
    });
  });
  // Attaching Sammy makes dash.js add all custom rules, including the probe.
  window.attachSammy(player, {}).detach();
  const [rules, requested] = await Promise.all([context, fragment]);
  const representations = player.getRepresentationsByType('video');
  representations.sort((a, b) => a.bandwidth - b.bandwidth);
  return {
    abr: rules.getAbrController(),
    streamId: rules.getMediaInfo().streamInfo.id,
    // The request has no URL, so that Sammy does not take one of the browser's resource timings for it. It is never
    // sent.
    requestFor: (rung, ahead_s) => ({
      ...requested,
      url: null,
      bytesLoaded: 0,
      startTime: player.time() + ahead_s,
      representation: representations.at(rung),
    }),
  };
}

/** The sidecar of the test video, repeated, because some algorithms look further ahead than the video lasts. */
async function longSidecar() {
  const sidecar = await (await fetch('/content/quality.json')).json();
  const again = (list) => list && Array.from({ length: 10 }, () => list).flat();
  const representations = Object.entries(sidecar.representations).map(([id, representation]) => [
    id,
    {
      segment_bytes: again(representation.segment_bytes),
      segment_ssim_db: again(representation.segment_ssim_db),
    },
  ]);
  return {
    version: 1,
    segment_duration_s: again(sidecar.segment_duration_s),
    representations: Object.fromEntries(representations),
  };
}

/**
 * Attaches Sammy to the player, in `state`, after ten downloads, the first of a higher rung. Fugu and the planner
 * choose their paces too.
 */
async function attachWith({ player, requestFor, sidecar, state, abr }) {
  let onRequest, onResponse;
  const spied = {
    ...player,
    getBufferLength: () => state.buffer_s,
    addRequestInterceptor: (interceptor) => (onRequest = interceptor),
    addResponseInterceptor: (interceptor) => (onResponse = interceptor),
  };
  const isPolicy = 'choosePace' in abr;
  const headers = isPolicy ? RECEIPT : {};
  const attached = window.attachSammy(spied, { sidecar, abr, storage: null, ...(isPolicy && { pace: abr }) });
  const send = (request) => onRequest({ url: 'http://localhost/content/7.m4s', customData: { request } });
  for (const [index, share] of SHARES.entries()) {
    const began = performance.now();
    const request = await send(requestFor(index === 0 ? TOP : MIDDLE, state.buffer_s));
    await passed(DOWNLOAD_MS);
    const byteLength = (share * state.network_kbps * (performance.now() - began)) / 8;
    await onResponse({ request, status: 200, headers, data: { byteLength } });
  }
  // The next request is for the segment that dash.js decides about: the one that follows the buffer.
  const next = requestFor(MIDDLE, state.buffer_s);
  // This response is not a segment, so only its receipt changes the state.
  const other = { request: { customData: { request: { traces: [] } } }, status: 200, headers };
  return { isPolicy, ask: () => send(next), hear: () => onResponse(other), detach: () => attached.detach() };
}

/** Asks dash.js until it no longer switches. Throws an Error if it keeps switching. */
async function settled(check) {
  const until = performance.now() + SETTLED_WITHIN_MS;
  await passed(DOWNLOAD_MS);
  while (check()) {
    if (performance.now() > until) throw new Error(`dash.js has not settled within ${SETTLED_WITHIN_MS} ms`);
    await passed(DOWNLOAD_MS);
  }
}
