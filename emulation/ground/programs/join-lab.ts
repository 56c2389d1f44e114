interface Message {
  readonly type: string;
  readonly [field: string]: unknown;
}

/**
 * Connects a program that `startLabProgram` has started to the lab. Call this first. Passes the lab's messages to
 * `onMessage`, and returns a function that sends messages back. The program ends with the lab, even if the lab is
 * killed. The program ignores SIGINT: on Ctrl-C the terminal signals all processes, and the lab ends this one.
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
