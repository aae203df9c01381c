/** Programs whose names differ from system to system, the preferred one first. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  chromium: ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable'],
}
/** An ordinary user's PATH often lacks the sbin folders. */
const PATH = `${process.env.PATH}:/usr/local/sbin:/usr/sbin:/sbin`

export const isRoot = process.getuid?.() === 0

/** The path of a program; undefined if the system does not have it. */
export function find(name: string): string | undefined {
  if (name === 'chromium' && process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH
  for (const called of NAMES[name] ?? [name]) {
    const path = Bun.which(called, { PATH })
    if (path !== null) return path
  }
  return undefined
}

export function program(name: string): string {
  const path = find(name)
  if (path === undefined) throw new Error(`${name} is missing. CONTRIBUTING.md says how to install it.`)
  return path
}
