import { preflightOf } from '../../tests/support/programs/preflight.ts'
import { say } from '../command.ts'
import { onlyRoot } from '../debian-root/only-root.ts'
import { Workplace } from '../debian-root/workplace.ts'
import { makeBaseImages } from './base-images.ts'
import { Engine } from './engine.ts'
import { buildImage, useImage } from './image.ts'

/** `npm run test:container`: builds deploy/Containerfile and uses the image. */
onlyRoot('npm run test:container')
await preflightOf('npm run test:container', 'mmdebstrap', 'podman', 'runc', 'netavark')
await Workplace.use('container', async place => {
  const engine = await Engine.start(place)
  say('\nMaking the base images from Debian packages')
  await makeBaseImages(place, engine)
  await buildImage(engine)
  await useImage(engine)
})
