import { expect } from 'bun:test'
import { petstore } from './cli.ts'

/** Expects a bad value, as a variable or a flag, to stop the start with one sentence that names the setting and no secret. */
export async function expectRefusedSetting(
  [variable, flag, value]: readonly [variable: string, flag: string, value: string],
  valid: Readonly<Record<string, string>>,
  secret: string,
): Promise<void> {
  const both = await Promise.all([
    petstore(['serve'], { ...valid, [variable]: value }),
    petstore(['serve', `${flag}=${value}`], valid),
  ])
  for (const { code, stdout, stderr } of both) {
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toMatch(/^petstore: [^\n]+\.\n$/)
    expect(stderr).toContain(`${variable} (${flag})`)
    expect(stderr).not.toContain(secret)
  }
}
