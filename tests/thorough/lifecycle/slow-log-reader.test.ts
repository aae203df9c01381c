import { expect, test } from 'bun:test'
import { commandLine, environmentWith, freshSqliteUrl } from '../../support/process.ts'

const REQUESTS = 3000

/** A service that logs every request into a pipe, and its address. */
async function startWithPipe() {
  const variables = { PORT: '0', DATABASE_URL: await freshSqliteUrl(), LOG_LEVEL: 'debug' }
  const child = Bun.spawn(commandLine('serve'), {
    env: environmentWith(variables),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const reader = child.stdout.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    text += decoder.decode((await reader.read()).value, { stream: true })
    const [, url] = /"url":"([^"]+)"/.exec(text) ?? []
    if (url !== undefined) return { child, reader, url }
  }
}

/** The log lines of these requests exceed the capacity of a pipe. */
async function sendRequests(url: string): Promise<void> {
  for (let sent = 0; sent < REQUESTS; sent += 100)
    await Promise.all(Array.from({ length: 100 }, async () => (await fetch(`${url}/livez`)).text()))
}

test('a reader of the log that stalls neither holds up the service nor loses a line', async () => {
  const { child, reader, url } = await startWithPipe()
  await sendRequests(url)
  const decoder = new TextDecoder()
  let text = ''
  // Ends when every line has arrived, without another request.
  while (text.split('"event":"request"').length <= REQUESTS)
    text += decoder.decode((await reader.read()).value, { stream: true })
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
})

test('a reader of the log that goes away does not end the service, nor its orderly end', async () => {
  const { child, reader, url } = await startWithPipe()
  await reader.cancel()
  await sendRequests(url)
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  child.kill('SIGTERM')
  expect(await child.stderr.text()).toBe('')
  expect(await child.exited).toBe(0)
})
