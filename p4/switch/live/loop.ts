/* The thread of a live switch. */
import { compileFile } from '../../compiler/compile.ts';
import { threadData } from '../../start-thread.ts';
import { configure } from '../config.ts';
import { ControlPlane, type KeyText } from '../control-plane.ts';
import { V1Switch } from '../v1model.ts';
import { LiveLoop } from './live-loop.ts';
import type { LiveStart, NewEntry, ObjectRequest } from './messages.ts';

const start = threadData() as LiveStart;
const { config } = start;
const loop = new LiveLoop(start);
const device = new V1Switch(compileFile(config.program), {
  ports: config.ports,
  priorities: config.priorities,
  seed: config.seed,
  random: Math.random,
  transmit: loop.transmit,
});
const plane = new ControlPlane(device.compiled.program, device.runtime);
configure(device, plane, config);

function answer(request: ObjectRequest): unknown {
  switch (request.what) {
    case 'register': {
      const register = plane.register(request.name);
      return Array.from({ length: request.count }, (_, at) => register.read(request.from + at));
    }
    case 'write': {
      plane.writeRegister(request.name, request.index, request.value);
      return true;
    }
    case 'counter':
      return plane.counts(request.name, request.index);
    case 'add': {
      const { table, keys, action, args } = request;
      plane.add(table, toKeyTexts(keys), action, toKeyTexts(args), 0);
      return true;
    }
  }
}

const toKeyTexts = (values: NewEntry['keys']): KeyText[] =>
  Object.entries(values).map(([name, value]) => ({ name, value: String(value) }));

loop.run(device, answer);
