import { Command } from 'commander'
import { RELEASE } from '../release.ts'
import { addExamples } from './help/examples.ts'
import { usageError } from './help/usage-error.ts'

type AddTo = (root: Command) => void

/** One file per command, in the order of the help. */
const COMMANDS = new Map<string, () => Promise<AddTo>>(
  Object.entries({
    serve: async () => (await import('./serve.ts')).serveCommand,
    keys: async () => (await import('./keys/command.ts')).keysCommand,
    deprecations: async () => (await import('./deprecations.ts')).deprecationsCommand,
    pets: async () => (await import('./pets/command.ts')).petsCommand,
    demo: async () => (await import('./demo/command.ts')).demoCommand,
    copy: async () => (await import('./copy.ts')).copyCommand,
    backup: async () => (await import('./backup.ts')).backupCommand,
    restore: async () => (await import('./restore.ts')).restoreCommand,
    doctor: async () => (await import('./doctor/command.ts')).doctorCommand,
    ready: async () => (await import('./ready.ts')).readyCommand,
    openapi: async () => (await import('./openapi.ts')).openapiCommand,
    completion: async () => (await import('./completion/completion.ts')).completionCommand,
    version: async () => (await import('./version.ts')).versionCommand,
  }),
)

/** The command line: with `name`, only that command, since loading all takes longer than most of them run. */
export async function program(name?: string): Promise<Command> {
  const root = new Command('petstore')
    .description('Stores the animals of a pet store and serves them over HTTP.')
    .version(RELEASE, '-V, --version', 'print the version')
    // Commands inherit these when they are added.
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(usageError(text)) })
  for (const load of loadersFor(name)) {
    const add = await load()
    add(root)
  }
  addExamples(root)
  return root
}

/** Help, an unknown name and completion need all commands. */
function loadersFor(name = ''): Iterable<() => Promise<AddTo>> {
  const one = name === 'completion' ? undefined : COMMANDS.get(name)
  return one ? [one] : COMMANDS.values()
}
