import { readFile } from 'node:fs/promises'
import type { Engine } from './engine.ts'

export interface Confinement {
  readonly user: string | undefined
  readonly capabilities: string
  readonly canGainAny: 'yes' | 'no'
}

/** What the kernel reports about the first process of a container. */
export async function confinement(engine: Engine, container: string): Promise<Confinement> {
  const pid = (await engine.run('inspect', '--format={{.State.Pid}}', container)).trim()
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const fact = (name: string): string | undefined => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(status)?.[1]
  const sets = [fact('CapPrm'), fact('CapEff'), fact('CapBnd')]
  return {
    user: fact('Uid'),
    capabilities: sets.every(set => set === '0'.repeat(16)) ? 'none' : sets.join(' '),
    canGainAny: fact('NoNewPrivs') === '1' ? 'no' : 'yes',
  }
}
