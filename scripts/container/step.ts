import { say } from '../command.ts'

/** A busy machine may take long to start a container. */
export const PATIENCE_MS = 120_000

/** One thing that must work, named in the output. */
export async function step<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  try {
    const result = await work()
    say(`✓ ${name}`)
    return result
  } catch (error) {
    say(`✗ ${name}`)
    throw error
  }
}

export function contains(text: string, part: string): void {
  if (!text.includes(part)) throw new Error(`"${part}" is not in what was said:\n${text}`)
}
