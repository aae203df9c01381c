import { Command } from 'commander'
import { RELEASE } from '../release.ts'
import { backupCommand } from './backup.ts'
import { completionCommand } from './completion/completion.ts'
import { copyCommand } from './copy.ts'
import { demoCommand } from './demo/command.ts'
import { deprecationsCommand } from './deprecations.ts'
import { doctorCommand } from './doctor/command.ts'
import { explainCommand } from './explain.ts'
import { addExamples } from './help/examples.ts'
import { usageError } from './help/usage-error.ts'
import { keysCommand } from './keys/command.ts'
import { openapiCommand } from './openapi.ts'
import { petsCommand } from './pets/command.ts'
import { readyCommand } from './ready.ts'
import { restoreCommand } from './restore.ts'
import { serveCommand } from './serve.ts'
import { versionCommand } from './version.ts'

/** The command line: one file a command. */
export function program(): Command {
  const root = new Command('petstore')
    .description("Keeps a store's animals and serves them over HTTP.")
    .version(RELEASE, '-V, --version', 'print the version')
    // Commands take these over when they are added.
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(usageError(text)) })
  const commands = [
    serveCommand,
    keysCommand,
    deprecationsCommand,
    petsCommand,
    demoCommand,
    copyCommand,
    backupCommand,
    restoreCommand,
    doctorCommand,
    readyCommand,
    openapiCommand,
    explainCommand,
    completionCommand,
    versionCommand,
  ]
  for (const add of commands) add(root)
  addExamples(root)
  return root
}
