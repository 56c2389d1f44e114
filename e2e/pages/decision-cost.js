// Runs in the test player's page. Compares the time of dash.js's own ABR decision with that of the same call with Sammy's
// rule plus the interceptor that chooses the pace and writes rtp into the URL, in turns on one player.
/* global window, performance, setTimeout */

const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

export async function decisionCost(rounds, calls) {
  const { player, attachSammy } = window;
  // A rule that never asks for a change; it receives dash.js's ABR controller.
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
  // Attaching Sammy makes dash.js add all custom rules, and so the probe.
  attachSammy(player, {}).detach();
  const rules = await context;
  const request = await fragment;
  const abr = rules.getAbrController();
  const streamId = rules.getMediaInfo().streamInfo.id;

  const time_us = async (decide) => {
    // A warm-up: each attachment makes new functions, which are not compiled yet, while dash.js's own are.
    for (let call = 0; call < calls; call++) await decide();
    const began = performance.now();
    for (let call = 0; call < calls; call++) await decide();
    return ((performance.now() - began) / calls) * 1000;
  };
  const own = [];
  const sammy = [];
  for (let round = 0; round < rounds; round++) {
    own.push(await time_us(() => abr.checkPlaybackQuality('video', streamId)));
    let intercept;
    const spied = {
      ...player,
      addRequestInterceptor: (interceptor) => {
        intercept = interceptor;
      },
    };
    const attached = attachSammy(spied, { sidecar: '/content/quality.json' });
    await new Promise((resolve) => setTimeout(resolve, 200));
    sammy.push(
      await time_us(() => {
        abr.checkPlaybackQuality('video', streamId);
        return intercept({ url: 'http://localhost/content/v3300/7.m4s', customData: { request } });
      }),
    );
    attached.detach();
  }
  return { dashjs_us: median(own), sammy_us: median(sammy) };
}
