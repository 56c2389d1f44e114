/** Descriptions of the npm scripts by name, in the order of the list. */
export declare const abouts: Readonly<Record<string, string>>;
/** Returns the npm command line that starts a command. */
export declare function npmWords(name: string): string;
/** Prints the list of commands. */
export declare function printCommands(): void;
