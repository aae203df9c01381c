import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { capture, ROOT, say } from '../command.ts'
import { REDOC } from '../release/vendored.ts'

const VERSION = REDOC.version
const FOLDER = join(ROOT, 'src/console/vendor')

/** The picture is the one thing that the library would fetch from elsewhere. The words beside it stay. */
const PICTURE = 'src:"https://cdn.redoc.ly/redoc/logo-mini.svg"'
const NO_PICTURE = 'hidden:!0'

/**
 * `npm run vendor:redoc`: the one file of Redoc that is served, taken from its package, which npm checks. As a dependency it
 * would bring 115 packages to everyone who installs the service, none of which is ever run.
 */
const folder = await mkdtemp(join(tmpdir(), 'redoc-'))
try {
  const { code } = await capture('npm', 'pack', '--silent', '--pack-destination', folder, `redoc@${VERSION}`)
  if (code !== 0) throw new Error('The package could not be fetched.')
  await capture('tar', 'xzf', join(folder, `redoc-${VERSION}.tgz`), '-C', folder)
  const script = await Bun.file(join(folder, 'package/bundles/redoc.standalone.js')).text()
  if (script.split(PICTURE).length !== 2) throw new Error('The picture is no longer where it was.')
  const ours = script.replace(PICTURE, NO_PICTURE).replace(/\n\/\/# sourceMappingURL=.*\n?$/, '\n')
  await Bun.write(join(FOLDER, 'redoc.standalone.js'), ours)
  const licences = ['LICENSE', 'bundles/redoc.standalone.js.LICENSE.txt']
  const texts = await Promise.all(licences.map(name => Bun.file(join(folder, 'package', name)).text()))
  await Bun.write(join(FOLDER, 'redoc.LICENSE.txt'), texts.join('\n\n'))
  say(`Redoc ${VERSION}, ${ours.length} bytes, SHA-256 ${new Bun.SHA256().update(ours).digest('hex')}`)
} finally {
  await rm(folder, { recursive: true })
}
