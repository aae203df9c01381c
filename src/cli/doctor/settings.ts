import { withoutSecrets } from '../../config/database-url.ts'
import type { Config } from '../../config/load.ts'
import type { Flags } from '../../config/read.ts'
import { SETTINGS, type Setting, type SettingName } from '../../config/settings.ts'
import { fileVariable, givenFor } from '../../config/variables.ts'
import { printable } from '../terminal/printable.ts'

export interface ShownSetting {
  readonly variable: string
  readonly value: string
  readonly from: string
}

/** Every setting in a form that may be shown, valid or not. */
export function shownSettings(flags: Flags, config: Config | undefined): ShownSetting[] {
  const derived: Partial<Record<SettingName, string | undefined>> = {
    databaseUrl: config?.database.publicName,
    backupFolder: config?.backups?.folder,
  }
  return (Object.entries(SETTINGS) as [SettingName, Setting][]).map(([name, row]) => {
    const { variable, flag } = row
    const { from, text } = givenFor(name, row, flags)
    return {
      variable,
      value: shown(row, derived[name] ?? (from === 'file' ? '(secret)' : text)),
      from: { flag, file: fileVariable(variable), variable: 'variable', default: 'default' }[from],
    }
  })
}

/** Leaves out credentials, and whatever may be credentials in a form that is not understood. */
function shown({ isSecret, mayBeFile, schema }: Setting, value: string | undefined): string {
  if (value === undefined) return '(none)'
  const mayHoldSecret = isSecret || (mayBeFile && !schema.safeParse(value).success)
  return mayHoldSecret ? '(secret)' : printable(withoutSecrets(value))
}
