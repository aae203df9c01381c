import { PROGRAMS } from '../../tests/support/programs/list.ts'
import { declare, isThere } from '../../tests/support/programs/program.ts'
import type { Contestant } from './contestant.ts'
import { CONTESTANTS } from './contestants.ts'
import type { Options } from './options.ts'

/** The contestants that take part, ready to start. Reports and omits those with missing programs or a failed build. */
export function entrantsOf({ peers, check }: Options, say: (line: string) => void): Contestant[] {
  return CONTESTANTS.filter(contestant => {
    const { name, kind, title } = contestant
    if ((kind === 'peer' && !peers) || (check && name === 'ready-floor')) return false
    const obstacle = missing(contestant) ?? buildFailure(contestant)
    if (obstacle !== undefined) say(`Without ${title}: ${obstacle}`)
    return obstacle === undefined
  })
}

function missing({ needs = [] }: Contestant): string | undefined {
  declare(needs)
  const packages = needs.filter(need => !isThere(need)).map(need => PROGRAMS[need].debian)
  return packages.length === 0 ? undefined : `apt-get install ${packages.join(' ')}`
}

function buildFailure({ build }: Contestant): string | undefined {
  if (build === undefined) return undefined
  const { cwd, command, env } = build()
  const { PATH = '', HOME = '' } = process.env
  const { success, stderr } = Bun.spawnSync(command, { cwd, env: { PATH, HOME, ...env } })
  return success ? undefined : `it cannot be built: ${stderr.toString().trim()}`
}
