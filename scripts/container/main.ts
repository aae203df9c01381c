import { join } from 'node:path'
import { preflightOf } from '../../tests/support/programs/preflight.ts'
import { say } from '../command.ts'
import { onlyRoot } from '../debian-root/only-root.ts'
import { Workplace } from '../debian-root/workplace.ts'
import { Engine } from './engine.ts'
import { buildImage, useImage } from './image.ts'
import { makeStandIns } from './stand-ins.ts'

/** What Podman needs to give containers names and ports. */
const NETWORK = ['aardvark-dns', 'ip', 'iptables', 'netavark'] as const
const COMPOSE = join(import.meta.dir, 'in-own-network.ts')

/** `npm run test:container`: builds deploy/Containerfile, tests the image, and starts deploy/compose.yaml with it. */
onlyRoot('npm run test:container')
await preflightOf('npm run test:container', 'mmdebstrap', 'podman', 'runc', 'podman-compose', ...NETWORK)
const isDone = await Workplace.use('container', async place => {
  const engine = await Engine.start(place)
  say('\nMaking the images of others from Debian packages')
  await makeStandIns(place, engine)
  await buildImage(engine)
  await useImage(engine)
  const { code } = await place.try(['unshare', '--net', process.execPath, COMPOSE, place.folder], true)
  if (code !== 0) throw new Error('deploy/compose.yaml does not do what it must.')
})
process.exit(isDone ? 0 : 1)
