import { describe, expect, test } from 'bun:test'
import { generateKeyPairSync } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, watch } from 'node:fs'
import { join } from 'node:path'
import { petJson } from '../support/http.ts'
import type { Variables } from '../support/process.ts'
import { freshFolder, freshSqliteUrl, pathOf, petstore } from '../support/process.ts'
import { startProcess } from '../support/service.ts'
import { addKey } from '../support/store.ts'

/** A self-signed Ed25519 certificate. */
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBLjCB4aADAgECAhRs+gr9u3/nXJmptbWE55wiLUM+eTAFBgMrZXAwDDEKMAgG
A1UEAwwBeDAgFw0yNjExMTcxMDE5MTlaGA8yMTI2MTAyNDEwMTkxOVowDDEKMAgG
A1UEAwwBeDAqMAUGAytlcAMhANsU0vkctiiPECrFi+CKvmJCZp4zP4/+h0vUb8o7
nz1so1MwUTAdBgNVHQ4EFgQUU9PyrKp9KgQfY810KK3+R8gHGfwwHwYDVR0jBBgw
FoAUU9PyrKp9KgQfY810KK3+R8gHGfwwDwYDVR0TAQH/BAUwAwEB/zAFBgMrZXAD
QQBzcwIu6QxcdShlhU/ZklIE0E8VaK1/sxAMUra7IqR5HOv9DofE3Y5Ah74TfVOD
ddSPxR5yUcZzbSeeGxPkYjUB
-----END CERTIFICATE-----
`

describe('what keeps the service from starting, serve and serve --check say in the same sentence with the same exit code', () => {
  async function expectRefused(
    variables: Variables,
    code: number,
    sentence: RegExp,
    within: readonly string[] = [],
  ): Promise<void> {
    const folder = await freshFolder()
    const [served, checked] = await Promise.all([
      petstore(['serve'], { PORT: '0', ...variables }, { cwd: folder, within }),
      petstore(['serve', '--check'], { PORT: '0', ...variables }, { cwd: folder, within }),
    ])
    expect(served).toMatchObject({ code, stdout: '' })
    expect(served.stderr).toMatch(sentence)
    expect(checked).toEqual(served)
    expect(readdirSync(folder)).toEqual([])
  }

  test('a port in use, which leaves no database behind', async () => {
    // One that would share its port with any program that asks for it, as a service with several threads does.
    const other = Bun.serve({ hostname: '127.0.0.1', port: 0, reusePort: true, fetch: () => new Response() })
    const port = String(other.port)
    const said = (variable: string) =>
      new RegExp(
        `^petstore: Port ${port} on 127\\.0\\.0\\.1 is in use\\. Set ${variable} to another one\\.\\n$`,
      )
    await expectRefused({ PORT: port }, 5, said('PORT'))
    await expectRefused({ PETSTORE_METRICS_PORT: port }, 5, said('PETSTORE_METRICS_PORT'))
    await other.stop(true)
  })

  test('a certificate or key that is none, or the key of another, in a sentence that does not show it', async () => {
    const folder = await freshFolder()
    const written = async (name: string, content: string) => {
      await Bun.write(join(folder, name), content)
      return join(folder, name)
    }
    const bad = await written('bad', 'BEGIN canary-private-key')
    const cert = await written('crt', CERTIFICATE)
    const { privateKey } = generateKeyPairSync('ed25519')
    const others = await written('key', String(privateKey.export({ type: 'pkcs8', format: 'pem' })))
    for (const [crt, key, sentence] of [
      [bad, others, `${bad} does not hold a PEM certificate`],
      [cert, bad, `${bad} does not hold a PEM private key without a passphrase`],
      [cert, others, `The private key ${others} does not belong to the certificate ${cert}`],
    ] as const)
      await expectRefused(
        { PETSTORE_TLS_CERT: crt, PETSTORE_TLS_KEY: key },
        2,
        new RegExp(`^petstore: ${sentence}\\.\\n$`),
      )
  })

  test.each<[what: string, variables: Variables, code: number, sentence: RegExp]>([
    [
      'an address that is not of this machine',
      { HOST: '192.0.2.1' },
      5,
      /^petstore: 192\.0\.2\.1 is not an address of this machine\. Set HOST .+\.\n$/,
    ],
    [
      'a host name that cannot be resolved',
      { HOST: 'a..b' },
      2,
      /^petstore: The host a\.\.b cannot be resolved \(ENOTFOUND\)\. .+\.\n$/,
    ],
    [
      'a certificate that cannot be read',
      { PETSTORE_TLS_CERT: 'none.crt', PETSTORE_TLS_KEY: 'none.key' },
      3,
      /^petstore: The certificate none\.crt cannot be read: none\.crt does not exist \(ENOENT\)\.\n$/,
    ],
    [
      'a certificate on a disk with a fault, which is not the fault of the setting',
      { PETSTORE_TLS_CERT: '/proc/self/mem', PETSTORE_TLS_KEY: 'none.key' },
      5,
      /^petstore: The certificate \/proc\/self\/mem cannot be read: it is on a disk .+ \(EIO\)\.\n$/,
    ],
    [
      'a folder in which no file can be created',
      { DATABASE_URL: 'sqlite:/proc/petstore/animals.db' },
      3,
      /^petstore: The database \/proc\/petstore\/animals\.db cannot be opened: .+\.\n$/,
    ],
    [
      'a variable that is nearly a setting, which would otherwise start an empty production store',
      { DATABSE_URL: 'sqlite:/var/lib/animals.db', PETSTOR_ENV: 'staging' },
      2,
      /^petstore: PETSTORE_ENV .+ as PETSTOR_ENV\. .+ DATABASE_URL .+ as DATABSE_URL\. .+\.\n$/,
    ],
  ])('%s', (_what, variables, code, sentence) => expectRefused(variables, code, sentence))
})

describe('serve --check', () => {
  test('says that the service could start, and creates nothing', async () => {
    const folder = await freshFolder()
    const variables = { PORT: '0', DATABASE_URL: 'sqlite:new/data/animals.db' }
    const checked = await petstore(['serve', '--check'], variables, { cwd: folder })
    expect(checked).toEqual({
      code: 0,
      stdout: 'The service can start: production, animals in sqlite:new/data/animals.db.\n',
      stderr: '',
    })
    expect(readdirSync(folder)).toEqual([])
  })

  test.each(['animals.db', 'new/animals.db'])(
    'tries the disk under a name that no service and no other check uses, before there is %s',
    async file => {
      const folder = await freshFolder()
      const names = new Set<string>()
      const check = async () => {
        const stop = new AbortController()
        const created = Promise.withResolvers<void>()
        watch(folder, { signal: stop.signal }, (_event, name) => {
          names.add(`${name}`)
          created.resolve()
        })
        const variables = { PORT: '0', DATABASE_URL: `sqlite:${file}` }
        expect(await petstore(['serve', '--check'], variables, { cwd: folder })).toMatchObject({ code: 0 })
        await created.promise
        stop.abort()
      }
      await check()
      await check()
      expect([...names].filter(name => file.startsWith(name))).toEqual([])
      expect(names.size).toBe(2)
      expect(readdirSync(folder)).toEqual([])
    },
  )

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

  test('warns of a variable with the prefix of settings, as serve does', async () => {
    const variables = { PORT: '0', DATABASE_URL: await freshSqliteUrl(), PETSTORE_FOO: 'x' }
    const { code, stderr } = await petstore(['serve', '--check'], variables)
    expect([code, stderr]).toEqual([0, expect.stringMatching(/PETSTORE_FOO: no such setting/)])
    using service = await startProcess({ variables })
    await service.output.entry(({ variable }) => variable === 'PETSTORE_FOO')
  })
})

test('a shell with the key of a client of production can start staging beside it', async () => {
  using production = await startProcess({ variables: { PETSTORE_SERVER_API_KEY: '' } })
  const key = await addKey(production.options.databaseUrl, 'tutorial')
  const shell = { PETSTORE_API_KEY: key, PETSTORE_BASE_URL: `${production.url}/v1` }
  using staging = await startProcess({ variables: shell, flags: ['--env', 'staging'] })
  expect([
    (await production.fetch('/v1/pets', { key })).status,
    (await staging.fetch('/v1/pets', { key })).failure,
  ]).toEqual([200, '401 invalid_api_key'])
  expect((await petstore(['pets', 'add', 'Rex', '--category-id', '7'], shell)).code).toBe(0)
})
