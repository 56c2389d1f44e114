interface Message {
  readonly type: string;
  readonly [field: string]: unknown;
}

/**
 * Connects a program that `startLabProgram` has started to the lab; call it first. Passes the lab's messages to `onMessage`,
 * and returns a function that sends messages back. The program ends with the lab, even if the lab is killed. It ignores
 * Ctrl-C, which the terminal sends to all processes, because the lab handles it.
 */
export function joinLab(onMessage: (message: Message) => void): (message: Message) => void {
  if (!process.send) throw new Error('this program is started by the lab, not by hand');
  process.on('message', (message) => onMessage(message as Message));
  process.on('disconnect', () => process.exit());
  process.on('SIGINT', () => undefined);
  process.on('uncaughtException', (error) => {
    console.error(`${error.name}: ${error.message}`);
    process.exit(1);
  });
  const send = process.send.bind(process);
  return (message) => void send(message, undefined, {}, () => undefined);
}
