import { describe, expect, it } from 'vitest';
import type { DashPlayer } from './player.ts';
import { readSetting, writeSetting } from './settings.ts';
import { createOverride } from './override.ts';

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

const createSettings = () => ({
  streaming: {
    abr: {
      rules: { bolaRule: { active: true }, l2ARule: { active: false } },
      initialBitrate: { video: -1, audio: -1 },
    },
    cmcd: { enabledKeys: ['br', 'bl'], rtp: null },
    other: 7,
  },
});
const overridden = {
  'streaming.abr.rules.bolaRule.active': false,
  'streaming.abr.rules.l2ARule.active': false,
  'streaming.abr.initialBitrate.video': 800,
};

describe('readSetting', () => {
  it('returns undefined for a path that does not exist', () => {
    const player = playerWith(createSettings());
    expect(readSetting(player, 'streaming.abr.initialBitrate.video')).toBe(-1);
    expect(readSetting(player, 'streaming.nothing.deeper')).toBeUndefined();
    expect(readSetting(player, 'streaming.other.deeper')).toBeUndefined();
  });
});

describe('writeSetting', () => {
  it('sets only one value', () => {
    const player = playerWith(createSettings());
    writeSetting(player, 'streaming.abr.initialBitrate.video', 800);
    const expected = createSettings();
    expected.streaming.abr.initialBitrate.video = 800;
    expect(player.getSettings()).toEqual(expected);
  });
});

describe('an override', () => {
  it('sets the given settings, and nothing else', () => {
    const player = playerWith(createSettings());
    createOverride(player).setOnce(overridden);
    expect(player.getSettings()).toEqual({
      streaming: {
        abr: {
          rules: { bolaRule: { active: false }, l2ARule: { active: false } },
          initialBitrate: { video: 800, audio: -1 },
        },
        cmcd: { enabledKeys: ['br', 'bl'], rtp: null },
        other: 7,
      },
    });
  });

  it('restores everything', () => {
    const player = playerWith(createSettings());
    const override = createOverride(player);
    override.setOnce(overridden);
    override.restore();
    expect(player.getSettings()).toEqual(createSettings());
  });

  it('applies only the first settings until it is restored', () => {
    const player = playerWith(createSettings());
    const override = createOverride(player);
    override.setOnce({ 'streaming.other': 8 });
    override.setOnce({ 'streaming.other': 9 });
    expect(readSetting(player, 'streaming.other')).toBe(8);
    override.restore();
    override.restore();
    expect(readSetting(player, 'streaming.other')).toBe(7);
    override.setOnce({ 'streaming.other': 9 });
    expect(readSetting(player, 'streaming.other')).toBe(9);
  });

  it('keeps values that the application has changed in between', () => {
    const player = playerWith(createSettings());
    const override = createOverride(player);
    override.setOnce(overridden);
    player.updateSettings({ streaming: { abr: { initialBitrate: { video: 500 } } } });
    override.restore();
    expect(readSetting(player, 'streaming.abr.initialBitrate.video')).toBe(500);
    expect(readSetting(player, 'streaming.abr.rules.bolaRule.active')).toBe(true);
  });

  it('is reapplied after other code has set a value, which is then restored', () => {
    const player = playerWith(createSettings());
    const override = createOverride(player);
    expect(override.keep()).toBe(false);
    override.setOnce(overridden);
    expect(override.keep()).toBe(false);
    player.updateSettings({ streaming: { abr: { initialBitrate: { video: 500 } } } });
    expect(override.keep()).toBe(true);
    expect(override.keep()).toBe(false);
    expect(readSetting(player, 'streaming.abr.initialBitrate.video')).toBe(800);
    player.updateSettings({ streaming: { abr: { rules: { bolaRule: { active: true } } } } });
    override.setOnce(overridden);
    expect(readSetting(player, 'streaming.abr.rules.bolaRule.active')).toBe(false);
    override.restore();
    const expected = createSettings();
    expected.streaming.abr.initialBitrate.video = 500;
    expect(player.getSettings()).toEqual(expected);
  });

  it('ignores settings that this version of dash.js does not have', () => {
    const player = playerWith({ streaming: { known: 1 } });
    const override = createOverride(player);
    override.setOnce({ 'streaming.known': 2, 'streaming.unknown': 3, 'streaming.abr.rules': 4 });
    expect(player.getSettings()).toEqual({ streaming: { known: 2 } });
    override.restore();
    expect(player.getSettings()).toEqual({ streaming: { known: 1 } });
  });
});
