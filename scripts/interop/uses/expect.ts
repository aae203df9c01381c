export const BASE_URL = process.env.PETSTORE_BASE_URL ?? ''
export const API_KEY = process.env.PETSTORE_API_KEY ?? ''

export function expectEqual(value: unknown, expected: unknown): void {
  if (value !== expected) throw new Error(`Expected ${expected}, got ${value}`)
}
