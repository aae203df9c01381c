import type { Answer } from './workloads.ts'

/** The floor: a bare Bun.serve that sends answers captured from the service and does nothing else. */
const [answersFile = ''] = process.argv.slice(2)
const { PORT: port = '' } = process.env
const answers: Answer[] = await Bun.file(answersFile).json()

const prepared = answers.map(({ method, path, status, headers, body }) => ({
  method,
  url: `http://127.0.0.1:${port}${path}`,
  body: Buffer.from(body, 'base64').toString(),
  init: { status, headers: Object.fromEntries(headers) },
}))
const [first] = prepared
if (!first) throw new Error(`${answersFile} holds no answer`)
const creation = prepared.find(answer => answer.method === 'POST')
const byUrl = new Map(prepared.filter(answer => answer.method === 'GET').map(answer => [answer.url, answer]))

function sendOnly(): Response {
  return new Response(first?.body, first?.init)
}

function sendByUrl(request: Request): Response {
  const answer = byUrl.get(request.url) ?? first
  return new Response(answer?.body, answer?.init)
}

function sendMixed(request: Request): Response {
  return request.method === 'POST' ? new Response(creation?.body, creation?.init) : sendByUrl(request)
}

const fetch = prepared.length === 1 ? sendOnly : creation ? sendMixed : sendByUrl
Bun.serve({ hostname: '127.0.0.1', port, fetch })
