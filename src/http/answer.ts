/** What is to be sent, before it becomes the runtime's Response. */
export interface Answer {
  readonly status: number
  /** Ready for the runtime: building them anew costs more than anything else in a read. Only the request id is added later. */
  readonly headers: Headers
  readonly body: string | Uint8Array | null
}

export const JSON_TYPE = 'application/json'

export const jsonAnswer = (
  status: number,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Answer => ({
  status,
  headers: new Headers({ 'Content-Type': JSON_TYPE, ...headers }),
  body,
})
