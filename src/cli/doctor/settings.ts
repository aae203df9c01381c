import { type Config, type Flags, type SettingInForce, settingsInForce } from '../../config/load.ts'
import { fileVariable } from '../../config/secret-file.ts'
import { SETTINGS, type Setting, type SettingName } from '../../config/settings.ts'
import { publicNameOf } from '../../store/open.ts'
import { printable } from '../terminal/printable.ts'

export interface ShownSetting {
  readonly variable: string
  readonly value: string
  readonly from: string
}

/** Every setting as it may stand on a screen. */
export function shownSettings(flags: Flags, config: Config | undefined): ShownSetting[] {
  const derived: Partial<Record<SettingName, string | undefined>> = {
    databaseUrl: config?.databaseUrl,
    backupFolder: config?.backups?.folder,
  }
  return settingsInForce(flags).map(({ name, value, from }) => ({
    variable: SETTINGS[name].variable,
    value: from === 'file' && !derived[name] ? '(secret)' : shown(SETTINGS[name], value ?? derived[name]),
    from: origin(SETTINGS[name], from),
  }))
}

function origin({ flag, variable }: Setting, from: SettingInForce['from']): string {
  if (from === 'flag') return flag
  return from === 'file' ? fileVariable(variable) : from
}

/** A value may be anything at all: whatever looks like credentials is left out, valid or not. */
function shown({ isSecret }: Setting, value: string | undefined): string {
  if (value === undefined) return '(none)'
  if (isSecret) return '(secret)'
  return printable(
    publicNameOf(value)
      .replace(/\/\/[^/]*@/, '//')
      .replace(/\?.*$/s, ''),
  )
}
