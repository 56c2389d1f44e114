import { startCanary, type CanaryWaits } from './canary.ts';
import { machineLoadBetween, type MachineLoad } from './machine-load.ts';
import { machineSnapshot, type MachineSnapshot } from './machine-snapshot.ts';

/** The load during a span of time, and the waits of a thread with the priority of mahimahi's shells. */
export interface WatchedLoad extends MachineLoad {
  /** The canary's waits; null on a kernel without CONFIG_SCHED_INFO. */
  readonly canary: CanaryWaits | null;
}

/** How busy the machine was during a run: part of its record. */
export interface MachineRecord {
  /** The load during the link's calibration, without a browser, so that it cannot depend on the arm. */
  readonly before: WatchedLoad;
  /** The load from the request for playback to the session's end. */
  readonly session: WatchedLoad;
  /** The load of the session after playback began; null if it never began. */
  readonly playing: Omit<WatchedLoad, 'canary'> | null;
}

export interface MachineWatch {
  /** Call when the calibration is over. */
  calibrationEnded(): Promise<void>;
  /** Call when the session begins. */
  sessionStarted(): Promise<void>;
  /** Call when playback begins; later calls change nothing. */
  playbackStarted(): void;
  /** Call when the session is over; returns the record. */
  sessionEnded(): Promise<MachineRecord>;
  close(): Promise<void>;
}

/** Starts to watch the machine for this process, which makes a run, and for its parent process, the lab. */
export async function watchMachine(): Promise<MachineWatch> {
  const owners = { run: process.pid, lab: process.ppid };
  const snapshot = () => machineSnapshot(owners);
  const canary = await startCanary();
  const started = snapshot();
  let before: WatchedLoad | undefined;
  let begun = started;
  let played: MachineSnapshot | undefined;
  return {
    async calibrationEnded() {
      before = { ...machineLoadBetween(started, snapshot(), owners), canary: await canary.read() };
    },
    async sessionStarted() {
      await canary.read();
      begun = snapshot();
    },
    playbackStarted() {
      played ??= snapshot();
    },
    async sessionEnded() {
      if (before === undefined) throw new Error('the machine was not watched during the calibration');
      const ended = snapshot();
      return {
        before,
        session: { ...machineLoadBetween(begun, ended, owners), canary: await canary.read() },
        playing: played === undefined ? null : machineLoadBetween(played, ended, owners),
      };
    },
    close: () => canary.close(),
  };
}
