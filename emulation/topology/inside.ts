/** The words before a command that run it in the network namespace of process `pid`. */
export const intoNetworkOf = (pid: number): string[] => ['nsenter', '--target', String(pid), '--net', '--'];
