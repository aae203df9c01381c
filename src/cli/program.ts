import { Command } from 'commander'
import { VERSION } from '../contract/operations.ts'
import { copyCommand } from './copy.ts'
import { demoCommand } from './demo.ts'
import { deprecationsCommand } from './deprecations.ts'
import { keysCommand } from './keys.ts'
import { openapiCommand } from './openapi.ts'
import { petsCommand } from './pets.ts'
import { serveCommand } from './serve.ts'

/** The command line: one file a command. */
export function program(): Command {
  const root = new Command('petstore')
    .description("Keeps a store's animals and serves them over HTTP.")
    .version(VERSION)
  for (const add of [
    serveCommand,
    keysCommand,
    deprecationsCommand,
    petsCommand,
    demoCommand,
    copyCommand,
    openapiCommand,
  ])
    add(root)
  return root.showHelpAfterError('(--help shows what there is)')
}
