import { preflightOf } from '../../tests/support/programs/preflight.ts'
import { say } from '../command.ts'
import { onlyRoot } from '../debian-root/only-root.ts'
import { Workplace } from '../debian-root/workplace.ts'
import { useCompose } from './compose.ts'
import { Engine } from './engine.ts'
import { buildImage, useImage } from './image.ts'
import { makeStandIns } from './stand-ins.ts'

/** `npm run test:container`: builds deploy/Containerfile, uses the image, and starts deploy/compose.yaml with it. */
onlyRoot('npm run test:container')
await preflightOf(
  'npm run test:container',
  'mmdebstrap',
  'podman',
  'podman-compose',
  'runc',
  'netavark',
  'aardvark-dns',
)
await Workplace.use('container', async place => {
  const engine = await Engine.start(place)
  say('\nMaking the images of others from Debian packages')
  await makeStandIns(place, engine)
  await buildImage(engine)
  await useImage(engine)
  await useCompose(place, engine)
})
