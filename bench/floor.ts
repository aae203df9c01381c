/**
 * The floor: a bare Bun.serve that sends what the service answered to the requests in a file, and does nothing else.
 * bun floor.ts SERVICE_URL REQUESTS_FILE
 */
const [serviceUrl = '', file = ''] = process.argv.slice(2)
const { PORT: port = '', PETSTORE_SERVER_API_KEY: key } = process.env
/** The runtime writes these itself, for the floor and for the service. */
const RUNTIME_HEADERS = new Set(['date', 'content-length', 'connection', 'keep-alive', 'transfer-encoding'])

async function recorded(line: string) {
  const [method = '', path = '', body = ''] = line.split('\t')
  const headers = {
    Authorization: `Bearer ${key}`,
    'Content-Type': 'application/json',
    'Accept-Encoding': 'identity',
  }
  const answer = await fetch(serviceUrl + path, { method, headers, ...(body && { body }) })
  const kept = [...answer.headers].filter(([name]) => !RUNTIME_HEADERS.has(name))
  const init = { status: answer.status, headers: Object.fromEntries(kept) }
  return { method, url: `http://127.0.0.1:${port}${path}`, body: await answer.text(), init }
}

const lines = (await Bun.file(file).text()).split('\n').filter(Boolean)
const recordings = await Promise.all(lines.map(recorded))
const [first] = recordings
/** Creations go to the one URL that is never read from. */
const other = recordings.find(({ method }) => method === 'POST') ?? first
const byUrl = new Map(recordings.filter(each => each !== other).map(each => [each.url, each]))

function sendFirst(): Response {
  return new Response(first?.body, first?.init)
}

function send(request: Request): Response {
  const recording = byUrl.get(request.url) ?? other
  return new Response(recording?.body, recording?.init)
}

Bun.serve({ hostname: '127.0.0.1', port, fetch: recordings.length === 1 ? sendFirst : send })

export {}
