/**
 * Starts a file of `src` as a thread. This file is at the root of `src`, and so does everything in the one-file program:
 * the same address is right in both.
 */
export const startThread = (file: string): Worker => new Worker(new URL(`./${file}`, import.meta.url).href)
