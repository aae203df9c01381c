import { chmod, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from '../command.ts'
import { type Kind, makeRoot } from '../debian-root/make.ts'
import { copyNode, copyReach, NODE_NEEDS, reachVariables } from '../debian-root/node.ts'
import type { Workplace } from '../debian-root/workplace.ts'
import type { Engine } from './engine.ts'

export const CONTAINERFILE = join(ROOT, 'deploy/Containerfile')
const PATH = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** The two images that the Containerfile builds on come from registries. These stand in for them, made from Debian's packages. */
export async function makeBaseImages(place: Workplace, engine: Engine): Promise<void> {
  const [builder, runner] = await baseNames()
  await makeImage(place, engine, builder, {
    kind: { variant: 'minbase', packages: NODE_NEEDS },
    finish: async root => {
      await copyNode(place, root)
      await copyReach(place, root)
    },
    settings: [PATH, ...Object.entries(reachVariables()).map(pair => pair.join('='))].map(
      text => `ENV ${text}`,
    ),
  })
  await makeImage(place, engine, runner, {
    kind: { variant: 'extract', packages: ['libc6', 'base-files'] },
    finish: addNonroot,
    settings: [`ENV ${PATH}`, 'USER 65532'],
  })
}

/** What the Containerfile says `FROM`, in this order: to build in, to run in. */
async function baseNames(): Promise<[string, string]> {
  const text = await readFile(CONTAINERFILE, 'utf8')
  const [builder, runner, ...others] = [...text.matchAll(/^FROM (\S+)/gm)].map(([, name]) => name)
  if (builder && runner && others.length === 0) return [builder, runner]
  throw new Error('deploy/Containerfile has not two stages. Change scripts/container/base-images.ts with it.')
}

export interface Recipe {
  readonly kind: Kind
  readonly finish: (root: string) => Promise<void>
  /** Instructions of a Containerfile that only set something. */
  readonly settings: readonly string[]
}

/** Makes a root file system and gives it to the engine as an image of this name. */
export async function makeImage(
  place: Workplace,
  engine: Engine,
  name: string,
  recipe: Recipe,
): Promise<void> {
  const root = join(place.folder, name.replaceAll(/\W+/g, '-'))
  const archive = `${root}.tar`
  await makeRoot(place, root, recipe.kind)
  await recipe.finish(root)
  await place.run('tar', `--directory=${root}`, '--exclude=./dev/*', '--create', `--file=${archive}`, '.')
  await engine.run('import', ...recipe.settings.map(setting => `--change=${setting}`), archive, name)
  await place.run('rm', '--recursive', '--force', root, archive)
}

/** The user that the distroless images have. Nothing may be run in them, so the files are written from here. */
async function addNonroot(root: string): Promise<void> {
  await mkdir(join(root, 'home/nonroot'), { recursive: true })
  await mkdir(join(root, 'tmp'), { recursive: true })
  await chmod(join(root, 'tmp'), 0o1777)
  await Bun.write(
    join(root, 'etc/passwd'),
    'root:x:0:0::/root:/sbin/nologin\nnonroot:x:65532:65532::/home/nonroot:/sbin/nologin\n',
  )
  await Bun.write(join(root, 'etc/group'), 'root:x:0:\nnonroot:x:65532:\n')
}
