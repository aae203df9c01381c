import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Asked {
  readonly target: string
  readonly headers: IncomingHttpHeaders
}

export type Line = (response: ServerResponse) => void

/** A server that answers by the script, then repeats its last line. It ends with the process. */
export async function scripted(...script: Line[]): Promise<{ baseUrl: string; asked: Asked[] }> {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    const line = script[Math.min(asked.length, script.length - 1)]
    const { url: target = '', headers } = request
    asked.push({ target, headers })
    request.resume().on('end', () => line?.(response))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked }
}

export const REQUEST_ID = 'scripted-request'

export const answer =
  (status: number, body: string, headers: Record<string, string> = {}): Line =>
  response => {
    response.writeHead(status, { 'Content-Type': 'application/json', 'X-Request-Id': REQUEST_ID, ...headers })
    response.end(body)
  }
export const ok = (body: string, headers?: Record<string, string>): Line => answer(200, body, headers)
export const added: Line = answer(201, '{"id":1,"name":"Rex","categoryId":7,"status":"available"}')
export const failure = (status: number, code: string, headers?: Record<string, string>): Line =>
  answer(status, JSON.stringify({ code, message: `Scripted ${code}.`, status }), headers)
export const html = (status: number, headers?: Record<string, string>): Line =>
  answer(status, '<html>', { 'Content-Type': 'text/html', ...headers })
export const silence: Line = () => {}
export const halfAnAnswer: Line = response => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' })
  response.write('[{"id":1')
}
export const cutShort: Line = response => {
  response.writeHead(201, { 'Content-Type': 'application/json', 'Content-Length': '1000' })
  response.write('{"id":1,"name"', () => response.destroy())
}
