import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Petstore } from '../../../client/src/index.ts'
import type { NewPet } from '../../contract/pet.ts'
import { OperatorError } from '../../operator-error.ts'
import { type IdRange, noRoomToGather, type Stage } from '../../store/transfer.ts'
import { countText } from '../../text/amounts.ts'
import { readNdjson } from '../../transfer/formats/ndjson.ts'
import { asOperatorError } from './failures.ts'

const AT_ONCE = 16
const SLICE = 1000

/**
 * A server adds one animal per request, so the animals wait in a temporary file until all are valid. Each carries an
 * idempotency key derived from all of them and its position: after a failure, the same import adds only what is missing.
 */
export async function httpStage(client: Petstore, onSent: (animals: number) => void): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-import-'))
  const path = join(folder, 'animals.ndjson')
  const writer = Bun.file(path).writer()
  const digest = createHash('sha256')
  return {
    gather: async pets => {
      const lines = pets.map(lineOf).join('')
      digest.update(lines)
      try {
        writer.write(lines)
        await writer.flush()
      } catch (error) {
        throw noRoomToGather(error)
      }
    },
    publish: async () => {
      await writer.end()
      const name = `import-${digest.digest('hex').slice(0, 32)}`
      return send(client, path, name, onSent)
    },
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

const lineOf = ({ name, categoryId, status }: NewPet): string =>
  `{"name":${JSON.stringify(name)},"categoryId":${categoryId},"status":"${status}"}\n`

async function send(
  client: Petstore,
  path: string,
  name: string,
  onSent: (animals: number) => void,
): Promise<IdRange | undefined> {
  let first: bigint | undefined
  let last: bigint | undefined
  let sent = 0
  let known = 0
  try {
    for await (const entries of readNdjson(Bun.file(path).stream()))
      for (let start = 0; start < entries.length; start += SLICE)
        await eachOf(entries.slice(start, start + SLICE), async entry => {
          if (!('pet' in entry)) return
          const idempotencyKey = `${name}-${entry.line}`
          const { data, replayed } = await client.pets.create(entry.pet, { idempotencyKey }).withResponse()
          const { id } = data
          if (replayed) known++
          first = first === undefined || id < first ? id : first
          last = last === undefined || id > last ? id : last
          sent++
          onSent(1)
        })
  } catch (error) {
    const failure = asOperatorError(error)
    if (!(failure instanceof OperatorError)) throw failure
    throw new OperatorError(
      `${failure.message} ${countText(sent, 'animal')} ${sent === 1 ? 'was' : 'were'} added before that. Run the same import again within 24 hours to add the others; none is added twice.`,
      { cause: error, exit: failure.exit },
    )
  }
  return first === undefined || last === undefined ? undefined : { first, last, replayed: known }
}

/** Several at a time: as soon as one is done, the next starts. */
async function eachOf<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values()
  const worker = async (): Promise<void> => {
    for (const item of rest) await work(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}
