/**
 * Starts a file of `src` as a thread. This file is at the root of `src`, as is everything in the executable:
 * the same path works in both.
 */
export const startThread = (file: string): Worker => new Worker(new URL(`./${file}`, import.meta.url).href)
