import { expect } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { freshFolder, freshSqliteUrl, petstore } from '../../support/process.ts'
import { needs, program } from '../../support/programs.ts'
import { startProcess } from '../../support/service.ts'
import { makeCertificate } from '../security/support/certificate.ts'

const { test } = needs('openssl')

test('a certificate that expires soon, or has expired, is warned of and served; ready and doctor speak TLS', async () => {
  const folder = await freshFolder()
  const [cert, key, request] = [join(folder, 'a.crt'), join(folder, 'a.key'), join(folder, 'a.csr')]
  const run = (...args: string[]): void => {
    const { status, stderr } = spawnSync(program('openssl'), args)
    if (status !== 0) throw new Error(`openssl failed: ${stderr}`)
  }
  const variables = { PETSTORE_TLS_CERT: cert, PETSTORE_TLS_KEY: key }
  for (const kind of ['certificate-expires-soon', 'certificate-expired'] as const) {
    makeCertificate('localhost', cert, key)
    if (kind === 'certificate-expired') {
      run('req', '-new', '-key', key, '-subj', '/CN=localhost', '-out', request)
      run('x509', '-req', '-in', request, '-signkey', key, '-days', '-1', '-out', cert)
    }
    const databaseUrl = await freshSqliteUrl()
    const checked = await petstore(['serve', '--check', '--port', '0'], variables, { cwd: folder })
    expect(checked).toMatchObject({ code: 0, stderr: expect.stringContaining(`warn  ${kind} file=${cert}`) })
    const service = await startProcess({ databaseUrl, variables })
    expect(await service.output.entry(({ event }) => event === kind)).toMatchObject({
      level: 'warn',
      file: cert,
    })
    const here = { ...variables, DATABASE_URL: databaseUrl, PORT: new URL(service.url).port }
    const ready = await petstore(['ready'], here)
    expect(ready).toMatchObject({ code: 0, stdout: expect.stringContaining('https://127.0.0.1') })
    const { stdout } = await petstore(['doctor', '--json'], here)
    const { findings } = JSON.parse(stdout) as { findings: { topic: string; level: string }[] }
    const level = kind === 'certificate-expired' ? 'fail' : 'advice'
    expect(findings).toContainEqual(expect.objectContaining({ topic: 'certificate', level }))
    expect(findings).toContainEqual(expect.objectContaining({ topic: 'service', level: 'ok' }))
    expect(await service.stop()).toBe(0)
  }
})
