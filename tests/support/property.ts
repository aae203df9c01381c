import fc from 'fast-check'

/** Holds a property for many random inputs. The printed seed, given as FC_SEED, replays the run. */
export async function holds<Inputs>(
  property: fc.IAsyncProperty<Inputs> | fc.IProperty<Inputs>,
  runs = 100,
): Promise<void> {
  process.stdout.write(`  random inputs from FC_SEED=${fc.readConfigureGlobal().seed}\n`)
  await fc.assert(property, { numRuns: runs })
}

export const anyInt64 = (): fc.Arbitrary<bigint> =>
  fc.oneof(
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.bigInt({ min: 2n ** 53n - 5n, max: 2n ** 53n + 5n }),
    fc.constantFrom(-(2n ** 63n), 2n ** 63n - 1n, 0n, -1n),
  )

/** Names that the rules allow, from the whole of Unicode. */
export const anyName = (): fc.Arbitrary<string> =>
  fc
    .string({ unit: 'binary', minLength: 1, maxLength: 60 })
    .filter(name => /\S/.test(name) && !name.includes('\0') && name.isWellFormed())

export const anyStatus = (): fc.Arbitrary<string> => fc.constantFrom('available', 'pending', 'sold')
