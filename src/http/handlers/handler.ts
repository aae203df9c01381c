import type { MaybePromise } from '../../store/store.ts'
import type { Answer } from '../answer.ts'
import type { Exchange } from '../exchange.ts'

/** An operation at the edge, in the steps that every operation takes. */
export interface Handler<Input = unknown, Result = unknown> {
  /** A cached answer that is still true; a promise if the store must be asked whether it is. */
  recall?(exchange: Exchange): MaybePromise<Answer | undefined>
  /** Parses the request; throws a failure that names all its problems. */
  parse(exchange: Exchange): MaybePromise<Input>
  /** Calls the operation, which decides and stores. */
  run(input: Input): MaybePromise<Result>
  answer(result: Result, exchange: Exchange): Answer
}
