import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { petJson } from '../../tests/support/http/exact.ts'
import { preflightOf } from '../../tests/support/programs/preflight.ts'
import { program } from '../../tests/support/programs/program.ts'
import { freshSqliteUrl } from '../../tests/support/service/folder.ts'
import { API_KEY, type Service, startService } from '../../tests/support/service/service.ts'
import { ReferenceSamples } from '../../tests/thorough/docs/reference-samples.ts'
import { ROOT, say } from '../command.ts'
import { CLIENTS, tryClient } from './clients/clients.ts'
import { tryDescription } from './description.ts'
import { throughPrism } from './prism.ts'
import { PROXIES } from './proxies/proxies.ts'
import { OVERLAY, specmatic } from './specmatic.ts'
import { steps } from './step.ts'
import { HERE } from './tool.ts'

/** `npm run interop [-- name…]`: checks the description and a real service with third-party tools. */
if (!existsSync(join(HERE, 'node_modules'))) {
  say('Its tools are not installed: run `npm ci --ignore-scripts --prefix scripts/interop`.')
  process.exit(1)
}
await preflightOf(
  'npm run interop',
  ...([
    'caddy',
    'curl',
    'go',
    'haproxy',
    'java',
    'nginx',
    'python3',
    'python3-httpx',
    'python3-requests',
  ] as const),
)

const OPENAPI = join(ROOT, 'openapi.json')
const { step, failed } = steps()

const PARTS: Readonly<Record<string, (service: Service) => Promise<void>>> = {
  async description({ url }) {
    await rm(join(HERE, 'generated'), { recursive: true, force: true })
    await mkdir(join(HERE, 'generated'))
    await tryDescription('3.1', OPENAPI, `${url}/v1`, step)
  },
  samples: service =>
    step('the samples of the reference in Go', async () => {
      const samples = await ReferenceSamples.of(service)
      await samples.run('go', 'main.go', path => [program('go'), 'run', path])
      return 'run as they are copied'
    }),
  prism: ({ url }) => step('Prism', () => throughPrism(OPENAPI, `${url}/v1`, API_KEY)),
  async specmatic(service) {
    // The example of petId.
    await service.post(petJson({}))
    const url = `${service.url}/v1`
    await step('Specmatic', () => specmatic(url, API_KEY))
    await step('Specmatic, without cursor and Idempotency-Key', () => specmatic(url, API_KEY, OVERLAY))
  },
  async clients({ url }) {
    for (const client of CLIENTS) await step(client.name, () => tryClient(client, `${url}/v1`, API_KEY, true))
    for (const [name, { version, before }] of Object.entries(PROXIES)) {
      const proxy = await before(Number(new URL(url).port))
      for (const client of CLIENTS)
        await step(`${client.name}, through ${name} ${await version()}`, () =>
          tryClient(client, `${proxy.url}/v1`, API_KEY, false),
        )
      await proxy.stop()
    }
  },
}

const [wanted = ''] = process.argv.slice(2).filter(word => !word.startsWith('--'))
for (const [name, run] of Object.entries(PARTS)) {
  if (!name.includes(wanted)) continue
  const service = await startService({ databaseUrl: await freshSqliteUrl() })
  await run(service)
  await step(`the service of ${name}`, async () => {
    const code = await service.stop()
    if (code !== 0) throw new Error(`ended with ${code}`)
    const faults = service.output.log.filter(({ status }) => Number(status) >= 500)
    if (faults.length > 0) throw new Error(`answered ${faults.length} requests with a 5xx`)
    return 'ends well, without a 5xx'
  })
}
process.exit(failed() === 0 ? 0 : 1)
