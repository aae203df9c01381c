import { join } from 'node:path'
import { ROOT } from '../command.ts'
import { cliReference } from './cli.ts'
import { takeScreenshots } from './screenshots.ts'
import { errorsReference, metricsReference, settingsReference } from './tables.ts'

/** The pages of docs/reference that are generated from the code. */
export const GENERATED: Readonly<Record<string, () => string | Promise<string>>> = {
  'docs/reference/settings.md': settingsReference,
  'docs/reference/cli.md': cliReference,
  'docs/reference/errors.md': errorsReference,
  'docs/reference/metrics.md': metricsReference,
}

/** `npm run docs [-- --screenshots]`. */
if (import.meta.main) {
  for (const [path, write] of Object.entries(GENERATED)) await Bun.write(join(ROOT, path), await write())
  if (process.argv.includes('--screenshots')) await takeScreenshots()
}
