import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { freshFolder, freshSqliteUrl } from '../../support/service/folder.ts'
import { Output } from '../../support/service/log.ts'
import { commandLine, environmentWith, eventually } from '../../support/service/process.ts'
import { API_KEY } from '../../support/service/service.ts'

const REQUESTS = 3000

/** The log lines of these requests exceed the capacity of a pipe. */
async function sendRequests(url: string): Promise<void> {
  for (let sent = 0; sent < REQUESTS; sent += 100)
    await Promise.all(Array.from({ length: 100 }, async () => (await fetch(`${url}/livez`)).text()))
}

const urlIn = (text: string): string => /"url":"([^"]+)"/.exec(text)?.[1] ?? ''

const environment = async () =>
  environmentWith({
    PORT: '0',
    PETSTORE_API_KEY: API_KEY,
    DATABASE_URL: await freshSqliteUrl(),
    LOG_LEVEL: 'debug',
  })

test('a reader of the log that stalls neither holds up the service nor loses a line', async () => {
  const child = Bun.spawn(commandLine('serve'), {
    env: await environment(),
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  try {
    const reader = child.stdout.getReader()
    await sendRequests(urlIn(new TextDecoder().decode((await reader.read()).value)))
    reader.releaseLock()
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of child.stdout) {
      text += decoder.decode(chunk, { stream: true })
      // Ends when every line has arrived, without another request.
      if (text.split('"event":"request"').length > REQUESTS) break
    }
  } finally {
    child.kill('SIGTERM')
  }
  expect(await child.exited).toBe(0)
})

test('a reader of the log that stalls and goes away does not end the service, nor its orderly end', async () => {
  const fifo = join(await freshFolder(), 'log')
  await Bun.spawn(['mkfifo', fifo]).exited
  const child = Bun.spawn(['sh', '-c', `exec "$0" "$@" > ${fifo}`, ...commandLine('serve')], {
    env: await environment(),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const said = new Output()
  const reader = Bun.spawn(['sh', '-c', `exec < ${fifo}; read line; echo "$line"; exec sleep 60`], {
    stdio: ['ignore', said.file, 'ignore'],
  })
  try {
    const url = await eventually('the address', () => (said.lines.length > 0 ? urlIn(said.text) : undefined))
    await sendRequests(url)
    reader.kill('SIGKILL')
    await reader.exited
    await sendRequests(url)
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
  } finally {
    reader.kill('SIGKILL')
    child.kill('SIGTERM')
  }
  expect(await child.stderr.text()).toBe('')
  expect(await child.exited).toBe(0)
})
