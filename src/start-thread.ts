/** Starts a file of `src` as a thread. This file is at the root of `src`, as is everything in the executable. */
export const startThread = (file: string): Worker =>
  // Without this, the thread would lack the variables that were read from a file.
  new Worker(new URL(`./${file}`, import.meta.url).href, { env: process.env as Record<string, string> })
