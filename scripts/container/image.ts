import { eventually } from '../../tests/support/service/process.ts'
import { ROOT, say } from '../command.ts'
import { confinement } from './confinement.ts'
import type { Engine } from './engine.ts'
import { CONTAINERFILE } from './stand-ins.ts'
import { contains, PATIENCE_MS, step } from './step.ts'

export const IMAGE = 'localhost/petstore'
const STOP_SECONDS = 10
/** As in docs/how-to/run-in-a-container.md, without the writable /tmp that Podman adds automatically. */
const CONFINED = [
  '--read-only',
  '--read-only-tmpfs=false',
  '--cap-drop=all',
  '--security-opt=no-new-privileges',
]

export async function buildImage(engine: Engine): Promise<void> {
  const started = performance.now()
  const options = ['--isolation=chroot', '--pull=never', '--format=docker', `--file=${CONTAINERFILE}`]
  await engine.show('build', ...options, `--tag=${IMAGE}`, ROOT)
  const seconds = ((performance.now() - started) / 1000).toFixed(0)
  const size = Number(await engine.run('image', 'inspect', '--format={{.Size}}', IMAGE))
  say(`\nBuilt in ${seconds} s; the image has ${(size / 1e6).toFixed(0)} MB`)
}

/** Checks that the image does everything its page says, in a container that may do nothing else. */
export async function useImage(engine: Engine): Promise<void> {
  // There is no network, so requests to the service are made from inside.
  const place = ['--detach', '--name=petstore', '--network=none', '--volume=petstore-data:/data']
  await engine.run('run', ...place, ...CONFINED, IMAGE)
  const petstore = (...args: string[]) => engine.run('exec', 'petstore', 'petstore', ...args)
  await step('serve: the health check passes', () => healthy(engine))
  await step('the service is user 65532, without capabilities and without a way to gain any', async () => {
    const facts = JSON.stringify(await confinement(engine, 'petstore'))
    contains(facts, '{"user":"65532","capabilities":"none","canGainAny":"no"}')
  })
  await step('ready', () => petstore('ready'))
  const key = (await step('keys create', () => petstore('keys', 'create', '--name=first key'))).trim()
  await step('keys list', async () => contains(await petstore('keys', 'list'), 'first key'))
  await step('demo, and pets list over HTTP', async () => {
    await petstore('demo', '--yes')
    const list = ['exec', `--env=PETSTORE_API_KEY=${key}`, 'petstore', 'petstore', 'pets', 'list']
    contains(await engine.run(...list), '"id":1')
  })
  await step('backup into the volume', () => petstore('backup', '/data/animals.db'))
  await step('backup beside the volume is refused with a sentence: the root is read-only', async () => {
    const { code, stderr } = await engine.try('exec', 'petstore', 'petstore', 'backup', '/animals.db')
    if (code === 0) throw new Error('It was written.')
    contains(stderr, 'petstore: ')
  })
  await step('doctor', () => petstore('doctor'))
  await step(`stop: within ${STOP_SECONDS} seconds, exit code 0`, async () => {
    await engine.run('stop', `--time=${STOP_SECONDS}`, 'petstore')
    const code = await engine.run('inspect', '--format={{.State.ExitCode}}', 'petstore')
    if (code.trim() !== '0') throw new Error(`The exit code is ${code.trim()}.`)
  })
  await step('start again: the animals are still there', async () => {
    await engine.run('start', 'petstore')
    await healthy(engine)
    contains(await petstore('pets', 'export'), '"id":1')
  })
  await engine.run('rm', '--force', '--time=1', '--volumes', 'petstore')
}

const healthy = (engine: Engine): Promise<true> =>
  eventually(
    'the health check passes',
    async () => (await engine.try('healthcheck', 'run', 'petstore')).code === 0 || undefined,
    PATIENCE_MS,
  )
