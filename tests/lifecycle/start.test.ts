import { describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { chmodSync, existsSync, readdirSync, readFileSync, watch, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { EXIT_CODES, type Exit } from '../../src/operator-error.ts'
import { petJson } from '../support/http.ts'
import { freshPostgresUrl, query } from '../support/postgres.ts'
import {
  freshFolder,
  freshSqliteUrl,
  pathOf,
  petstore,
  type Start,
  type Variables,
} from '../support/process.ts'
import { startProcess } from '../support/service.ts'
import { makeStore } from '../support/store.ts'

const UNIT = readFileSync(join(import.meta.dir, '../../deploy/petstore.service'), 'utf8')
const NOT_RETRIED = /^RestartPreventExitStatus=(.+)$/m.exec(UNIT)?.[1]?.split(' ').map(Number)
const NOBODY = '65534'
/** Root may write everywhere, so another user tries. */
const AS_NOBODY =
  process.geteuid?.() === 0 ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : []

/** What is wrong with a database, made by a function that gets its URL and may return another one. */
const FAULTS: [what: string, exit: Exit, make: (url: string) => unknown][] = [
  ['a read-only file', 'invalid', url => makeStore(url).then(() => chmodSync(pathOf(url), 0o444))],
  ['a folder that may not be written', 'invalid', url => chmodSync(dirname(pathOf(url)), 0o555)],
  ['a folder that may not be entered', 'invalid', url => chmodSync(dirname(pathOf(url)), 0o600)],
  ['a file of another program', 'refused', url => writeFileSync(pathOf(url), 'x'.repeat(5000))],
  ['a server that is read-only for now', 'unavailable', readOnlyServer],
]

async function readOnlyServer(): Promise<string> {
  const url = await freshPostgresUrl()
  await query(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = on`)
  return url
}

describe('what keeps the service from starting, serve and serve --check say in the same sentence with the same exit code', () => {
  async function expectRefused(variables: Variables, code: number, sentence: string, start: Start = {}) {
    const folder = await freshFolder()
    const commands = [['serve'], ['serve', '--check']]
    const [served, checked] = await Promise.all(
      commands.map(words => petstore(words, variables, { cwd: folder, ...start })),
    )
    const stderr = expect.stringMatching(new RegExp(`^petstore: ${sentence}\\.\n$`))
    expect(served).toEqual({ code, stdout: '', stderr })
    expect(checked).toEqual(served)
    expect(readdirSync(folder)).toEqual([])
  }

  test('a port in use, which leaves no database behind', async () => {
    // One that would share its port with any program that asks for it, as a service with several threads does.
    const other = Bun.serve({ hostname: '127.0.0.1', port: 0, reusePort: true, fetch: () => new Response() })
    const port = String(other.port)
    for (const variable of ['PORT', 'PETSTORE_METRICS_PORT']) {
      const sentence = `Port ${port} on 127.0.0.1 is in use. Set ${variable} to another one`
      await expectRefused({ [variable]: port }, 5, sentence)
    }
    await other.stop(true)
  })

  test('a certificate or key that is none, or the key of another, in a sentence that does not show it', async () => {
    const folder = await freshFolder()
    const written = async (name: string, content: string) => {
      await Bun.write(join(folder, name), content)
      return join(folder, name)
    }
    const bad = await written('bad', 'BEGIN canary-private-key')
    const cert = await written('crt', rootCertificates[0] ?? '')
    // Of the same kind as that of the certificate, which the runtime brings along.
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' })
    const others = await written('key', String(privateKey.export({ type: 'pkcs8', format: 'pem' })))
    for (const [crt, key, sentence] of [
      [bad, others, `${bad} does not hold a PEM certificate`],
      [cert, bad, `${bad} does not hold a PEM private key without a passphrase`],
      [cert, others, `The private key ${others} does not belong to the certificate ${cert}`],
    ] as const)
      await expectRefused({ PETSTORE_TLS_CERT: crt, PETSTORE_TLS_KEY: key }, 2, sentence)
  })

  const certificate = (path: string) => ({ PETSTORE_TLS_CERT: path, PETSTORE_TLS_KEY: 'none.key' })
  // A disk with a fault is not the fault of the setting, and a misspelt variable would start an empty production store.
  test.each<[sentence: string, code: number, variables: Variables]>([
    ['192.0.2.1 is not an address of this machine. Set HOST .+', 5, { HOST: '192.0.2.1' }],
    ['The host a..b cannot be resolved \\(ENOTFOUND\\). .+', 2, { HOST: 'a..b' }],
    ['The certificate none.crt cannot be read: none.crt does not exist .+', 3, certificate('none.crt')],
    ['The certificate /proc/self/mem .+: it is on a disk .+ \\(EIO\\)', 5, certificate('/proc/self/mem')],
    ['The database /proc/x/a.db cannot be opened: .+', 3, { DATABASE_URL: 'sqlite:/proc/x/a.db' }],
    [
      'PETSTORE_ENV .+ as PETSTOR_ENV. .+ DATABASE_URL .+ as DATABSE_URL. .+',
      2,
      { DATABSE_URL: 'sqlite:/var/lib/animals.db', PETSTOR_ENV: 'staging' },
    ],
  ])('%s', (sentence, code, variables) => expectRefused(variables, code, sentence))

  test.each(FAULTS)('a database that is %s: %s, for systemd too', async (_what, exit, make) => {
    const url = await freshSqliteUrl()
    const made = await make(url)
    if (AS_NOBODY.length > 0) spawnSync('chown', ['-R', NOBODY, dirname(pathOf(url))])
    const { code } = EXIT_CODES[exit]
    const DATABASE_URL = typeof made === 'string' ? made : url
    await expectRefused({ DATABASE_URL }, code, '[^\\n]+', { cwd: '.', within: AS_NOBODY })
    expect(NOT_RETRIED?.includes(code)).toBe(exit !== 'unavailable')
  })
})

describe('serve --check', () => {
  test.each(['animals.db', 'new/data/animals.db'])('agrees to %s, and creates nothing', async file => {
    const folder = await freshFolder()
    const names = new Set<string>()
    for (let checks = 0; checks < 2; checks++) {
      const stop = new AbortController()
      const created = Promise.withResolvers<void>()
      watch(folder, { signal: stop.signal }, (_event, name) => {
        names.add(`${name}`)
        created.resolve()
      })
      const DATABASE_URL = `sqlite:${file}`
      const checked = await petstore(['serve', '--check'], { DATABASE_URL }, { cwd: folder })
      const stdout = `The service can start: production, animals in ${DATABASE_URL}.\n`
      expect(checked).toEqual({ code: 0, stdout, stderr: '' })
      await created.promise
      stop.abort()
    }
    expect([...names].filter(name => file.startsWith(name))).toEqual([])
    expect(names.size).toBe(2)
    expect(readdirSync(folder)).toEqual([])
  })

  test.each(['empty', 'killed'])('changes no file of a database that is %s', async state => {
    const databaseUrl = await freshSqliteUrl()
    const path = pathOf(databaseUrl)
    if (state === 'empty') await Bun.write(path, '')
    else {
      const service = await startProcess({ databaseUrl })
      await service.post(petJson({}))
      await service.kill()
    }
    const files = () => [path, `${path}-wal`].map(file => existsSync(file) && readFileSync(file, 'latin1'))
    const before = files()
    const checked = await petstore(['serve', '--check'], { PORT: '0', DATABASE_URL: databaseUrl })
    expect(checked.code).toBe(0)
    expect(files()).toEqual(before)
  })

  test('warns of a variable with the prefix of settings', async () => {
    const variables = { PORT: '0', DATABASE_URL: await freshSqliteUrl(), PETSTORE_FOO: 'x' }
    const { code, stderr } = await petstore(['serve', '--check'], variables)
    expect([code, stderr]).toEqual([0, expect.stringMatching(/PETSTORE_FOO: no such setting/)])
  })
})
