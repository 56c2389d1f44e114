interface Message {
  readonly type: string;
  readonly [field: string]: unknown;
}

/**
 * What a program that `startLabProgram` started does first. It hears the lab, answers it with the function returned, and
 * ends with it: also when the lab is killed. Ctrl-C, which the terminal sends to all, is for the lab alone.
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
