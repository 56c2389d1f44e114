import { ARMS, PAPER } from './link-setup.ts';
import { play } from './play.ts';
import { makeRows, type Row } from './rows.ts';
import { sentence } from './sentence.ts';

/** The initial content of the page, computed when the site is built and shown until the visitor moves a control. */
export interface FirstPicture {
  readonly rows: readonly Row[];
  readonly verdicts: readonly string[];
}

export declare const data: FirstPicture;

export default {
  load(): FirstPicture {
    const sessions = ARMS.map((arm) => play(PAPER, arm));
    const [control, ...treated] = sessions;
    return {
      rows: makeRows(PAPER, sessions),
      verdicts: treated.map(({ metrics }) => sentence(control?.metrics ?? {}, metrics, PAPER.neighbor)),
    };
  },
};
