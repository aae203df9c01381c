import { expect } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { needs } from '../../support/programs/needs.ts'
import { freshFolder } from '../../support/service/folder.ts'
import { Output } from '../../support/service/log.ts'
import { commandLine, eventually, type Variables } from '../../support/service/process.ts'
import { Shell } from '../../support/terminal/shell.ts'
import { programBelow } from '../faults/support/proc.ts'
import { makeCertificate, shownCertificate } from '../security/support/certificate.ts'

const { test } = needs('openssl')

const START_MS = 30_000
const isGone = (pid: number): true | undefined => (existsSync(`/proc/${pid}`) ? undefined : true)

/** Serves in the foreground of a terminal, which shows the address. */
async function serveInTerminal(folder: string, variables: Variables) {
  const shell = new Shell(folder, { PORT: '0', ...variables })
  shell.type(commandLine('serve').join(' '))
  const [, url = ''] = await shell.shows(/listening on (\S+),/, START_MS)
  return { shell, url, pid: programBelow(shell.pid) }
}

test('with a certificate, SIGHUP reads it again while the terminal is open, and a closed terminal ends the service', async () => {
  const folder = await freshFolder()
  const [cert, key] = [join(folder, 'live.crt'), join(folder, 'live.key')]
  makeCertificate('one', cert, key)
  const { shell, url, pid } = await serveInTerminal(folder, {
    PETSTORE_TLS_CERT: cert,
    PETSTORE_TLS_KEY: key,
  })
  makeCertificate('two', cert, key)
  process.kill(pid, 'SIGHUP')
  await eventually('the new certificate', async () => (await shownCertificate(url)) === 'two' || undefined)
  await shell.closeWindow()
  await eventually('it is gone', () => isGone(pid))
  expect(existsSync(join(folder, 'data/production.db-wal'))).toBe(false)
})

test('a service that nohup started outlives its terminal, with a certificate and without', async () => {
  const certified = await freshFolder()
  const [cert, key] = [join(certified, 'live.crt'), join(certified, 'live.key')]
  makeCertificate('one', cert, key)
  const places: [string, Variables][] = [
    [await freshFolder(), {}],
    [certified, { PETSTORE_TLS_CERT: cert, PETSTORE_TLS_KEY: key }],
  ]
  for (const [folder, variables] of places) {
    const shell = new Shell(folder, { PORT: '0', ...variables })
    shell.type(`nohup ${commandLine('serve').join(' ')} > log 2>&1 &`)
    const listening = await eventually('it listens', () => listeningIn(join(folder, 'log')), START_MS)
    const pid = programBelow(shell.pid)
    await shell.closeWindow()
    process.kill(pid, 'SIGHUP')
    const options = { tls: { rejectUnauthorized: false } }
    expect((await fetch(`${listening}/readyz`, options)).status).toBe(200)
    process.kill(pid, 'SIGTERM')
    await eventually('it is gone', () => isGone(pid))
    expect(await Bun.file(join(folder, 'log')).text()).toContain('"event":"stopped","unanswered":0')
  }
})

function listeningIn(file: string): string | undefined {
  return new Output(file).log.find(({ event }) => event === 'listening')?.url as string | undefined
}
