import { Command } from 'commander'
import { readEnvFile } from '../config/read.ts'
import { RELEASE } from '../release.ts'
import { addHelp, helpWidth, usageError } from './help.ts'

type AddTo = (root: Command) => void

/** One file per command, in the order of the help. */
const COMMANDS: Readonly<Record<string, () => Promise<AddTo>>> = {
  serve: async () => (await import('./serve.ts')).serveCommand,
  keys: async () => (await import('./keys.ts')).keysCommand,
  pets: async () => (await import('./pets.ts')).petsCommand,
  demo: async () => (await import('./demo.ts')).demoCommand,
  copy: async () => (await import('./copy.ts')).copyCommand,
  backup: async () => (await import('./backup.ts')).backupCommand,
  restore: async () => (await import('./restore.ts')).restoreCommand,
  doctor: async () => (await import('./doctor.ts')).doctorCommand,
  ready: async () => (await import('./ready.ts')).readyCommand,
}

/** The command line: with `name`, only that command, since loading all takes longer than most of them run. */
export async function program(name = ''): Promise<Command> {
  const root = new Command('petstore')
    .description('Stores the animals of a pet store and serves them over HTTP.')
    .version(RELEASE, '-V, --version', 'print the version')
    // Commands inherit these when they are added.
    .exitOverride()
    .configureOutput({
      outputError: (text, write) => write(usageError(text)),
      getOutHelpWidth: helpWidth,
      getErrHelpWidth: helpWidth,
    })
  root.hook('preAction', (_root, command) => readEnvFile(command.opts().envFile))
  const wanted = Object.hasOwn(COMMANDS, name) ? [COMMANDS[name]] : Object.values(COMMANDS)
  for (const load of wanted) (await load?.())?.(root)
  addHelp(root)
  return root
}
