import { cp, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { eventually } from '../../tests/support/service/process.ts'
import type { Workplace } from '../debian-root/workplace.ts'
import { confinement } from './confinement.ts'
import type { Engine } from './engine.ts'
import { COMPOSE_FILE } from './stand-ins.ts'
import { contains, PATIENCE_MS, step } from './step.ts'

const PROJECT = 'petstore-compose'
const INSTANCES = ['one', 'two', 'three']
const URL = 'http://127.0.0.1:8080'
const PASSWORD = 'a-password-of-the-database'

/** Starts deploy/compose.yaml and checks that its guarantees hold. */
export async function useCompose(place: Workplace, engine: Engine): Promise<void> {
  const container = (name: string): string => `${PROJECT}_${name}_1`
  const petstore = (...args: string[]) => engine.run('exec', container('one'), 'petstore', ...args)
  const ready = (name: string) =>
    eventually(
      `${name} is healthy`,
      async () => (await engine.try('healthcheck', 'run', container(name))).code === 0 || undefined,
      PATIENCE_MS,
    )

  const compose = ['podman-compose', '--podman-path', await engine.asProgram(), '--project-name', PROJECT]
  const file = await copyWithSecrets(place)
  await step('compose: up', async () => {
    const up = ['--file', file, 'up', '--detach', '--no-build']
    await place.run('env', 'PETSTORE_PORT=8080', ...compose, ...up)
    for (const name of INSTANCES) await ready(name)
  })
  const key = (await step('compose: keys create', () => petstore('keys', 'create', '--name=x'))).trim()
  await step('compose: an animal is added and listed through HAProxy', async () => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    const body = '{"name":"Rex","categoryId":7}'
    await eventually(
      'the animal is added',
      async () =>
        (await fetch(`${URL}/v1/pets`, { method: 'POST', headers, body })).status === 201 || undefined,
      PATIENCE_MS,
    )
    contains(await (await fetch(`${URL}/v1/pets`, { headers })).text(), '"name":"Rex"')
  })
  await step('compose: doctor', () => petstore('doctor'))
  await step(
    'compose: nothing runs as root or with a capability, no secret stands in its settings, and no log grows for ever',
    async () => {
      for (const name of [...INSTANCES, 'postgres', 'haproxy']) {
        const { user, ...rest } = await confinement(engine, container(name))
        if (user === '0') throw new Error(`${name} runs as root.`)
        contains(JSON.stringify(rest), '{"capabilities":"none","canGainAny":"no"}')
        const facts = await engine.run('inspect', container(name))
        if (facts.includes(PASSWORD)) throw new Error(`${name} has the password among its settings.`)
        const [{ HostConfig }] = JSON.parse(facts) as [{ HostConfig: { LogConfig: { Size: string } } }]
        if (HostConfig.LogConfig.Size !== '50MB') throw new Error(`${name} keeps its whole log.`)
      }
    },
  )
  await step(
    'compose: only HAProxy is reached from outside, and it does not reach the database',
    async () => {
      const ports = (await engine.run('port', '--all')).trim()
      if (!/^\S+\s+8080\/tcp -> 127\.0\.0\.1:\d+$/.test(ports))
        throw new Error(`These are published:\n${ports}`)
      const { code } = await engine.try('exec', container('haproxy'), 'bash', '-c', '</dev/tcp/postgres/5432')
      if (code === 0) throw new Error('HAProxy reached PostgreSQL.')
    },
  )
  await step('compose: an instance that was restarted is found again when the others are gone', async () => {
    await engine.run('restart', '--time=15', container('one'))
    await ready('one')
    await engine.run('stop', '--time=15', container('two'), container('three'))
    await eventually(
      'it answers through HAProxy',
      async () => (await fetch(`${URL}/readyz`)).status === 200 || undefined,
      PATIENCE_MS,
    )
  })
  await place.run(...compose, '--file', file, 'down', '--volumes', '--timeout', '15')
}

/** The unchanged file, with secrets beside it as deploy/README.md says. */
async function copyWithSecrets(place: Workplace): Promise<string> {
  const folder = join(place.folder, 'deploy')
  const secrets = join(folder, 'secrets')
  await mkdir(secrets, { recursive: true, mode: 0o755 })
  for (const name of ['compose.yaml', 'haproxy.cfg'])
    await cp(join(dirname(COMPOSE_FILE), name), join(folder, name))
  await Bun.write(join(secrets, 'postgres_password'), `${PASSWORD}\n`)
  await Bun.write(join(secrets, 'database_url'), `postgres://petstore:${PASSWORD}@postgres:5432/petstore\n`)
  return join(folder, 'compose.yaml')
}
