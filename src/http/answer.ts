/** What is to be sent, before it becomes the runtime's Response. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

export const JSON_TYPE = 'application/json'

export const jsonAnswer = (status: number, body: string, headers: Record<string, string> = {}): Answer => ({
  status,
  headers: { 'Content-Type': JSON_TYPE, ...headers },
  body,
})
