/** Repetitions of the film, to nine minutes: for films of ten minutes and more, dash.js keeps twice the buffer. */
export const FILM_TIMES = 9;
