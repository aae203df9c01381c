import fc from 'fast-check'

/** Checks a property for many random inputs. FC_SEED chooses them. */
export async function holds<Inputs>(
  property: fc.IAsyncProperty<Inputs> | fc.IProperty<Inputs>,
  runs = 100,
): Promise<void> {
  await fc.assert(property, { numRuns: runs })
}

export const anyInt64 = (): fc.Arbitrary<bigint> =>
  fc.oneof(
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.bigInt({ min: 2n ** 53n - 5n, max: 2n ** 53n + 5n }),
    fc.constantFrom(-(2n ** 63n), 2n ** 63n - 1n, 0n, -1n),
  )

/** Valid names from all of Unicode. */
export const anyName = (): fc.Arbitrary<string> =>
  fc
    .string({ unit: 'binary', minLength: 1, maxLength: 60 })
    .filter(name => /\S/.test(name) && !name.includes('\0') && name.isWellFormed())

export const anyStatus = (): fc.Arbitrary<string> => fc.constantFrom('available', 'pending', 'sold')
