import type { Arm } from '../../arms.ts';
import type { NetworkFigures } from '../comparison/comparison.ts';
import type { TurnsSummary } from '../comparison/summarize-turns.ts';
import { element, setText } from '../elements.ts';

const TITLES: Record<Arm, string> = { stock: 'Stock dash.js', sammy: 'dash.js with Sammy' };

const figure = (value: number | null | undefined, unit: string, digits: number): string =>
  value === null || value === undefined ? '-' : `${value.toFixed(digits)} ${unit}`.trim();

/** Formats a rate. Rates above 100 Mbit/s need no decimals. */
const mbps = (rate_kbps: number | null | undefined): string =>
  figure(rate_kbps && rate_kbps / 1000, 'Mbit/s', (rate_kbps ?? 0) >= 100_000 ? 0 : 1);

/** One arm's half of the page: its video, its figures, and its charts. */
export class ArmView {
  readonly root: HTMLElement;
  readonly video: HTMLVideoElement;

  constructor(arm: Arm) {
    const content = element('#arm', HTMLTemplateElement).content.cloneNode(true);
    this.root = Object.assign(document.createElement('section'), { id: arm, className: 'arm' });
    this.root.append(content);
    element('#arms', HTMLElement).append(this.root);
    setText('h2', TITLES[arm], this.root);
    this.video = element('video', HTMLVideoElement, this.root);
    this.video.setAttribute('aria-label', TITLES[arm]);
    // The `muted` attribute does not mute an element that was cloned from a template.
    this.video.muted = true;
  }

  /** Covers the video with a text; null removes the cover. */
  setWaiting(text: string | null): void {
    const waiting = element('.waiting', HTMLElement, this.root);
    waiting.hidden = text === null;
    if (text !== null) setText('.waiting', text, this.root);
    this.root.classList.toggle('idle', text !== null);
  }

  showSession(summary: TurnsSummary | null): void {
    setText('.speed', mbps(summary?.playing_chunk_throughput_kbps), this.root);
    setText('.bitrate', mbps(summary?.mean_bitrate_kbps), this.root);
    setText('.stalls', figure(summary?.rebuffer_count, '', 0), this.root);
  }

  showNetwork({ response_ms, responses, queue_p95_ms, dropped_pct }: NetworkFigures): void {
    setText('.response', figure(response_ms && response_ms / 1000, 's', 2), this.root);
    element('.response', HTMLElement, this.root).dataset.responses = String(responses);
    setText('.wait', figure(queue_p95_ms, 'ms', 1), this.root);
    setText('.dropped', dropped_pct === null ? '-' : `${dropped_pct.toFixed(2)}%`, this.root);
  }
}
