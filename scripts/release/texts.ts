const VERSION = /^(\d+)\.(\d+)\.(\d+)$/

export const isVersion = (text: string): boolean => VERSION.test(text)

/** Every place in package.json or package-lock.json that names the version of this project. */
export function withVersion(json: string, version: string): string {
  const parsed = JSON.parse(json) as { version: string; packages?: Record<string, { version: string }> }
  parsed.version = version
  const self = parsed.packages?.['']
  if (self !== undefined) self.version = version
  return `${JSON.stringify(parsed, null, 2)}\n`
}

/** What the changelog says about an unreleased version; undefined if it says nothing. */
export function unreleasedNotes(changelog: string, version: string): string | undefined {
  const [, rest] = changelog.split(`## [${version}] - Unreleased\n`)
  return rest?.split(/^## /m)[0]?.trim() || undefined
}

export const releasedChangelog = (changelog: string, version: string, day: string): string =>
  changelog.replace(`## [${version}] - Unreleased\n`, `## [${version}] - ${day}\n`)

/** Whether the client's changelog mentions a version. */
export const hasNotes = (changelog: string, version: string): boolean =>
  Boolean(changelog.split(`\n## ${version}\n`)[1]?.split(/^## /m)[0]?.trim())

/** The client sends its version in each request. */
export const withClientVersion = (source: string, version: string): string =>
  source.replace(/(VERSION = ')[^']*/, `$1${version}`)
