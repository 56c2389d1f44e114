import { describe, expect, it } from 'vitest';
import { PhaseMachine } from './phase.ts';
import { seconds } from '../units.ts';

const playing = () => {
  const machine = new PhaseMachine();
  machine.startedToPlay();
  return machine;
};

describe('PhaseMachine', () => {
  it('is initial until playback starts', () => {
    const machine = new PhaseMachine();
    machine.stalled();
    machine.seeked(seconds(0), seconds(2));
    machine.updateBuffer(seconds(100), seconds(10));
    expect(machine.phase).toBe('initial');
    machine.startedToPlay();
    expect(machine.phase).toBe('playing');
  });

  it('is preload without a request for playback when enough is buffered for a prompt start', () => {
    const machine = new PhaseMachine();
    machine.awaitViewer();
    machine.prefetched(seconds(3.9));
    expect(machine.phase).toBe('initial');
    machine.prefetched(seconds(4));
    expect(machine.phase).toBe('preload');
    machine.stalled();
    machine.seeked(seconds(2), seconds(2));
    expect(machine.phase).toBe('preload');
    // The viewer seeks before playback.
    machine.seeked(seconds(0), seconds(2));
    expect(machine.phase).toBe('initial');
    machine.prefetched(seconds(4));
    expect(machine.phase).toBe('preload');
    // The viewer waits after requesting playback.
    machine.playbackRequested();
    machine.prefetched(seconds(4));
    expect(machine.phase).toBe('initial');
    machine.startedToPlay();
    expect(machine.phase).toBe('playing');
  });

  it('recovers from a stall until the buffer is safe', () => {
    const machine = playing();
    machine.stalled();
    expect(machine.phase).toBe('recovery');
    machine.startedToPlay();
    machine.updateBuffer(seconds(9.99), seconds(10));
    expect(machine.phase).toBe('recovery');
    machine.updateBuffer(seconds(10), seconds(10));
    expect(machine.phase).toBe('playing');
  });

  it('recovers only from a seek that leaves too little buffered', () => {
    const machine = playing();
    machine.seeked(seconds(2), seconds(2));
    expect(machine.phase).toBe('playing');
    machine.seeked(seconds(1.9), seconds(2));
    expect(machine.phase).toBe('recovery');
  });

  it('recovers from a seek that emptied the buffer', () => {
    const machine = playing();
    machine.seeked(seconds(5), seconds(2));
    expect(machine.phase).toBe('playing');
    machine.seeked(seconds(0), seconds(2));
    expect(machine.phase).toBe('recovery');
    machine.seeked(seconds(5), seconds(2));
    expect(machine.phase).toBe('recovery');
  });

  it('does not leave the playing phase for a low buffer alone', () => {
    const machine = playing();
    machine.updateBuffer(seconds(0), seconds(10));
    expect(machine.phase).toBe('playing');
  });
});
