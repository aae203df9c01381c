import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Waits until the names in a folder are on the disk. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
