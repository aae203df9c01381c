import type { FuzzRequest } from './request.ts'

/** The bytes of a request. A body without a Content-Length is sent in one or more chunks. */
export function wire({ method, fields, body }: FuzzRequest, target: string): Uint8Array {
  const head = `${method} ${target} HTTP/1.1\r\n${fields.join('\r\n')}\r\n`
  if (body === undefined) return Buffer.from(`${head}\r\n`, 'latin1')
  if (body.length % 5 !== 1)
    return Buffer.concat([Buffer.from(`${head}Content-Length: ${body.length}\r\n\r\n`, 'latin1'), body])
  const size = 1 + (body.length % 97)
  const chunks: Uint8Array[] = [Buffer.from(`${head}Transfer-Encoding: chunked\r\n\r\n`, 'latin1')]
  for (let at = 0; at < body.length; at += size) {
    const chunk = body.subarray(at, at + size)
    chunks.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'))
  }
  return Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')])
}
