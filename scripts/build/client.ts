import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { bundleClient } from '../../src/pages/bundle.ts'
import { ROOT } from '../command.ts'

/** Writes `client/dist` for `npm pack` and `npm publish`: the same files that the service serves. */
const folder = join(ROOT, 'client')
await rm(join(folder, 'dist'), { recursive: true, force: true })
for (const [file, text] of Object.entries(await bundleClient()))
  if (file.startsWith('dist/')) await Bun.write(join(folder, file), text)
