import { timingSafeEqual } from 'node:crypto'

/** @param {string} key */
export function keyCheck(key) {
  const expected = Buffer.from(`Bearer ${key}`)
  /** @param {string | null | undefined} authorization */
  return authorization => {
    if (!authorization) return false
    const given = Buffer.from(authorization)
    return given.length === expected.length && timingSafeEqual(given, expected)
  }
}
