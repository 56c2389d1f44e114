import { describe, expect, it } from 'vitest';
import type { DashPlayer } from './player.ts';
import { overrideSettings, patchOf, readSetting, type SettingsPatch } from './settings.ts';

/** A fake player that updates settings as dash.js does: by a deep merge that ignores unknown settings. */
function playerWith(settings: Record<string, unknown>) {
  const isObject = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const merge = (target: Record<string, unknown>, patch: Record<string, unknown>) => {
    for (const [name, value] of Object.entries(patch)) {
      if (!(name in target)) continue;
      const old = target[name];
      if (isObject(old) && isObject(value)) merge(old, value);
      else target[name] = value;
    }
  };
  const player = {
    getSettings: () => settings,
    updateSettings: (patch: object) => {
      merge(settings, patch as Record<string, unknown>);
    },
  };
  return player as unknown as DashPlayer;
}

const settingsOf = () => ({
  streaming: {
    abr: {
      rules: { bolaRule: { active: true }, l2ARule: { active: false } },
      initialBitrate: { video: -1, audio: -1 },
    },
    cmcd: { enabledKeys: ['br', 'bl'], rtp: null },
    other: 7,
  },
});
const patch: SettingsPatch = {
  streaming: {
    abr: {
      rules: { bolaRule: { active: false }, l2ARule: { active: false } },
      initialBitrate: { video: 800 },
    },
    cmcd: { enabledKeys: ['rtp'], rtp: 9900 },
  },
};

describe('readSetting', () => {
  it('follows a path as far as it goes', () => {
    expect(readSetting(settingsOf(), ['streaming', 'abr', 'initialBitrate', 'video'])).toBe(-1);
    expect(readSetting(settingsOf(), ['streaming', 'nothing', 'deeper'])).toBeUndefined();
    expect(readSetting(undefined, ['streaming'])).toBeUndefined();
    expect(readSetting({ list: ['a'] }, ['list', '0'])).toBeUndefined();
  });
});

describe('patchOf', () => {
  it('nests a value', () => {
    expect(patchOf(['a', 'b'], 1)).toEqual({ a: { b: 1 } });
  });
});

describe('overrideSettings', () => {
  it('sets what the patch says, and nothing else', () => {
    const player = playerWith(settingsOf());
    overrideSettings(player, patch);
    expect(player.getSettings()).toEqual({
      streaming: {
        abr: {
          rules: { bolaRule: { active: false }, l2ARule: { active: false } },
          initialBitrate: { video: 800, audio: -1 },
        },
        cmcd: { enabledKeys: ['rtp'], rtp: 9900 },
        other: 7,
      },
    });
  });

  it('restores everything', () => {
    const player = playerWith(settingsOf());
    const restore = overrideSettings(player, patch);
    restore();
    expect(player.getSettings()).toEqual(settingsOf());
  });

  it('keeps what the application has changed in between', () => {
    const player = playerWith(settingsOf());
    const restore = overrideSettings(player, patch);
    player.updateSettings({
      streaming: { abr: { initialBitrate: { video: 500 } }, cmcd: { enabledKeys: ['su'] } },
    });
    restore();
    expect(readSetting(player.getSettings(), ['streaming', 'abr', 'initialBitrate', 'video'])).toBe(500);
    expect(readSetting(player.getSettings(), ['streaming', 'cmcd', 'enabledKeys'])).toEqual(['su']);
    expect(readSetting(player.getSettings(), ['streaming', 'abr', 'rules', 'bolaRule', 'active'])).toBe(true);
  });

  it('leaves out what this version of dash.js does not know', () => {
    const player = playerWith({ streaming: { known: 1 } });
    const restore = overrideSettings(player, { streaming: { known: 2, unknown: 3, abr: { rules: 4 } } });
    expect(player.getSettings()).toEqual({ streaming: { known: 2 } });
    restore();
    expect(player.getSettings()).toEqual({ streaming: { known: 1 } });
  });

  it('restores a list as it was, even if the player has changed it in place', () => {
    const settings = settingsOf();
    const player = playerWith(settings);
    const list = settings.streaming.cmcd.enabledKeys;
    const restore = overrideSettings(player, patch);
    list.push('sid');
    restore();
    expect(settings.streaming.cmcd.enabledKeys).toEqual(['br', 'bl']);
  });
});
