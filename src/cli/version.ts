import type { Command } from 'commander'
import { VERSION } from '../contract/operations.ts'
import { RELEASE } from '../release.ts'
import { printFacts, withJson } from './terminal/facts.ts'

export function versionCommand(program: Command): void {
  withJson(program.command('version'))
    .description('print the versions of the program, the interface and the runtime')
    .action(options => {
      const platform = `${process.platform} ${process.arch}`
      const facts = { release: RELEASE, interface: VERSION, bun: Bun.version, platform }
      return printFacts(
        options,
        facts,
        () => `petstore ${RELEASE} (interface ${VERSION}, Bun ${Bun.version}, ${platform})\n`,
      )
    })
}
