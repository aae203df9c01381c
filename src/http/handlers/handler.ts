import type { Answer } from '../answer.ts'

/** An operation at the edge: decodes a request, calls the operation, encodes its result. */
export type Handler = (request: Request, keyId: string) => Promise<Answer>
