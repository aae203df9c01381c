/** A random seed, printed; PETSTORE_FAULTS_SEED replays it. The parts of an attack use consecutive seeds. */
export function seedFor(topic: string, part = 0): number {
  const given = process.env.PETSTORE_FAULTS_SEED
  const seed = given ? Number(given) + part : Math.floor(Math.random() * 2 ** 31)
  process.stdout.write(`  ${topic} from PETSTORE_FAULTS_SEED=${seed}\n`)
  return seed
}

/** Returns a random number generator for a seed. */
export function seeded(topic: string, part = 0): (below: number) => number {
  let state = seedFor(topic, part) >>> 0
  // Mulberry32: small, and good enough to choose moments.
  return below => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}
