import { MediaPlayer } from 'dashjs';
import { readAssignment, readExperiments, reportSessions } from '../../../src/experiment/index.ts';
import { attachSammy, sessionSummary } from '../../../src/index.ts';

/**
 * Plays a session of an experiment, as your own page would: asks the edge for the viewer's arm, plays with that arm's
 * options, and reports the session. ?unit=NAME names the viewer.
 */
async function watch(video: HTMLVideoElement, unit: string): Promise<void> {
  const manifest = new URL('/film/manifest.mpd', location.href).href;
  const asked = `${manifest}?CMCD=${encodeURIComponent(`sid="${unit}"`)}`;
  const answer = await fetch(asked, { method: 'HEAD' });
  const arm = readAssignment(answer.headers.get('Server-Timing'))?.arm ?? 'control';
  const [experiment] = readExperiments(await (await fetch('/experiments.json')).json());

  const player = MediaPlayer().create();
  // Send the unit as CMCD's session id, by which the edge assigns arms, also for segment requests.
  player.updateSettings({ streaming: { cmcd: { enabled: true, sid: unit } } });
  const sammy = attachSammy(player, { ...experiment?.arms[arm], summary: sessionSummary });
  reportSessions(sammy, { url: '/.sammy/v1/sessions', unit, arm });
  player.initialize(video, manifest, true);
}

const video = document.querySelector('video');
if (!video) throw new Error('no video on this page');
await watch(video, new URLSearchParams(location.search).get('unit') ?? '');
