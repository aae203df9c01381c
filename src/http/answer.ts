/** What is to be sent, before it becomes the runtime's Response. The request id is added when it is sent. */
export interface Answer {
  readonly status: number
  /** An answer that is sent again keeps its headers ready for the runtime: building them costs more than all else in a read. */
  readonly headers: Headers | Readonly<Record<string, string>>
  /**
   * Headers that differ from one answer to the next while the others are kept. Always the same names: they are set in the moment
   * the answer is sent, and stay until the next one.
   */
  readonly own?: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | null
}

export const JSON_TYPE = 'application/json'

export const jsonAnswer = (
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Answer => ({ status, headers: { 'Content-Type': JSON_TYPE, ...headers }, body })
