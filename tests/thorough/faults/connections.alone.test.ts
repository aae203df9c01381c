import { expect } from 'bun:test'
import { petJson, RawConnection } from '../../support/http.ts'
import { eventually } from '../../support/process.ts'
import { needs, program } from '../../support/programs.ts'
import { type ServiceProcess, startProcess } from '../../support/service.ts'
import { Flood, KEY, postHead } from '../security/support/clients.ts'
import { openDescriptors } from './support/system.ts'

const DESCRIPTORS = 100

const BODY = petJson({ name: 'connected before' })
const ADDITION = postHead(KEY, `Content-Length: ${BODY.length}`) + BODY

const isServing = async (service: ServiceProcess): Promise<boolean> =>
  (await service.post(petJson({}))).status === 201 && (await service.fetch('/readyz')).status === 200

needs('prlimit', 'root').test.each(['before', 'after'])(
  'out of file descriptors, %s the first write: those connected are served, nothing crashes, and it recovers',
  async moment => {
    const service = await startProcess({
      within: [program('prlimit'), `--nofile=${DESCRIPTORS}:${DESCRIPTORS}`],
    })
    const { pid } = service.process
    if (moment === 'after') expect(await isServing(service)).toBe(true)
    const connected = new RawConnection(service.url)
    connected.send('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n')
    expect(await connected.read()).toHaveStatus(200)
    const idle = new Flood(service.url, 3 * DESCRIPTORS, '')
    await eventually('it is out of descriptors', () => openDescriptors(pid) >= DESCRIPTORS || undefined)
    for (let n = 0; n < 20; n++) {
      connected.send(ADDITION)
      expect(await connected.read()).toHaveStatus(201)
    }
    idle.end()
    await eventually('it recovers', () => openDescriptors(pid) < DESCRIPTORS / 2 || undefined)
    expect(await isServing(service)).toBe(true)
    connected.end()
    expect(await service.stop()).toBe(0)
  },
)
