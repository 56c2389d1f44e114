interface Message {
  readonly type: string;
  readonly [field: string]: unknown;
}

/**
 * To be called first in a program that `startLabProgram` has started. Listens to the lab's messages, and returns a function
 * that answers them. The program ends with the lab, also when that is killed. Ctrl-C, which the terminal sends to all
 * processes, is ignored, since the lab handles it.
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
