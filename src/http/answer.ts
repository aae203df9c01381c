import { type Body, type HeaderValues, KeptHeaders } from './response/kept-headers.ts'

/** What will be sent, before it becomes the runtime's Response. Headers of the exchange are added when it is sent. */
export interface Answer {
  readonly status: number
  readonly headers: HeaderValues | KeptHeaders
  readonly body: Body
}

export const JSON_TYPE = 'application/json'

export const jsonAnswer = (status: number, body: string, headers: HeaderValues = {}): Answer => ({
  status,
  headers: { 'Content-Type': JSON_TYPE, ...headers },
  body,
})

/** An answer that is sent repeatedly. */
export const keptAnswer = (status: number, headers: HeaderValues, body: Body): Answer => ({
  status,
  headers: KeptHeaders.of(status, headers),
  body,
})
