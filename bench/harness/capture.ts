import { CONTESTANTS } from './contestants.ts'
import { seed } from './seed.ts'
import { type Running, start } from './start.ts'
import { type PlannedRequest, planRequests, type Stock, type Workload } from './workloads.ts'

/** One real answer of the service. The body is base64, to keep it byte for byte. */
export type Answer = {
  method: 'GET' | 'POST'
  path: string
  status: number
  headers: [string, string][]
  body: string
}

export type Captured = { stock: Stock; answers: Record<Workload, Answer[]> }

/** The runtime writes these itself, for the floor and for the service. */
const RUNTIME_HEADERS = new Set(['date', 'content-length', 'connection', 'keep-alive', 'transfer-encoding'])

/** Requests every answer that the floor will send from a seeded service. */
export async function captureAnswers(
  workloads: readonly Workload[],
  key: string,
  directory: string,
): Promise<Captured> {
  const service = CONTESTANTS.find(contestant => contestant.kind === 'service')
  if (!service) throw new Error('there is no service to capture from')
  const running = await start(service, key, '', directory)
  try {
    const stock = await seed(service, running)
    const answers: Partial<Record<Workload, Answer[]>> = {}
    for (const workload of workloads) answers[workload] = await captureWorkload(workload, stock, running)
    return { stock, answers: answers as Record<Workload, Answer[]> }
  } finally {
    await running.stop()
  }
}

async function captureWorkload(workload: Workload, stock: Stock, running: Running): Promise<Answer[]> {
  const different = new Map(
    planRequests(workload, stock).map(request => [`${request.method} ${request.path}`, request]),
  )
  const answers: Answer[] = []
  for (const request of different.values()) answers.push(await ask(request, running))
  return answers
}

export async function ask({ method, path, body }: PlannedRequest, running: Running): Promise<Answer> {
  const headers: Record<string, string> = { ...running.headers, 'accept-encoding': 'identity' }
  if (body !== undefined) headers['content-type'] = 'application/json'
  const response = await fetch(running.url + path, { method, headers, ...(body !== undefined && { body }) })
  return {
    method,
    path,
    status: response.status,
    headers: [...response.headers].filter(([name]) => !RUNTIME_HEADERS.has(name)),
    body: Buffer.from(await response.arrayBuffer()).toString('base64'),
  }
}

/** The floor is a valid baseline only if it sends exactly what the service sent. */
export async function expectSameAnswers(answers: Answer[], floor: Running): Promise<void> {
  for (const expected of answers) {
    const sent = await ask({ method: expected.method, path: expected.path }, floor)
    if (!Bun.deepEquals(sent, expected)) {
      throw new Error(`the floor's answer differs from the service's: ${expected.method} ${expected.path}`)
    }
  }
}
