import { expect, spyOn, test } from 'bun:test'
import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { devNull, tmpdir } from 'node:os'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { loadConfig } from '../config/load.ts'
import { Log } from '../observability/log.ts'
import type { FromListener, ListenerOptions, ToListener } from './listener.ts'
import { startService } from './service.ts'
import type { ListenerWorker } from './threads.ts'

test('every thread gets the port of the first, and the certificate with its dates', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-'))
  const [tlsCert, tlsKey] = [join(folder, 'a.crt'), join(folder, 'a.key')]
  const cert = rootCertificates[0] ?? ''
  writeFileSync(tlsCert, cert)
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' })
  const key = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
  writeFileSync(tlsKey, key)
  // The runtime brings certificates along, but not their keys.
  using _same = spyOn(X509Certificate.prototype, 'checkPrivateKey').mockReturnValue(true)
  const starts: ListenerOptions[] = []
  const startWorker = (): ListenerWorker => {
    const say = (data: FromListener) =>
      setImmediate(() => worker.onmessage?.call(worker as Worker, { data } as MessageEvent))
    const worker: ListenerWorker = {
      onmessage: null,
      onerror: null,
      postMessage: (message: ToListener) => {
        if (message[0] === 'start') starts.push(message[1])
        say(message[0] === 'drain' ? ['drained', 0] : ['listening', 4321])
      },
      addEventListener: () => {},
      terminate: () => {},
    }
    return worker
  }
  const database = `sqlite:${join(folder, 'animals.db')}`
  const config = { ...loadConfig({ port: '0', tlsCert, tlsKey, database }, {}), threads: 3 }
  const log = new Log(Bun.file(devNull), { level: 'info', format: 'json' })
  const { url, stop } = await startService(config, log, { startWorker })
  await stop()
  expect(url).toBe('https://127.0.0.1:4321')
  expect(starts.map(({ port }) => port)).toEqual([0, 4321, 4321])
  const { validFromDate: begins, validToDate: expires } = new X509Certificate(cert)
  const pair = { cert, key, file: tlsCert, begins, expires }
  for (const { tls } of starts) expect(tls).toEqual(pair)
})
