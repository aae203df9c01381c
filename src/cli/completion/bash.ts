import { shellQuoted } from '../../shell-quoted.ts'
import { pathsOf, type Value, valueCases, type Words } from './words.ts'

/** Needs only bash, not the package bash-completion. Bash itself splits `--flag=value` at the equals sign. */
export const bashCompletion = (all: readonly Words[]): string => `# bash completion for petstore
_petstore() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} at='' known words i
  if [[ $word == '=' ]]; then word=
  elif [[ $before == '=' ]]; then before=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    known="\${at:+$at }\${COMP_WORDS[i]}"
    case "$known" in
      ${pathsOf(all).map(shellQuoted).join('|')}) at=$known ;;
    esac
  done
  case "$at $before" in
${valueCases(all, offer)}
  esac
  case "$at" in
${all.map(commandCase).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -F _petstore petstore
`

function commandCase({ path, commands, flags, argument }: Words): string {
  const files = argument === 'file' ? `if [[ $word != -* ]]; then ${offer('file')}; return; fi; ` : ''
  const own = [
    ...(Array.isArray(argument) ? argument : []),
    ...[...commands, ...flags].map(({ word }) => word),
  ]
  return `    ${shellQuoted(path)}) ${files}words=${shellQuoted(own.join(' '))} ;;`
}

function offer(value: Value): string {
  // Left to bash, which knows how to quote them.
  if (value === 'file') return 'COMPREPLY=(); compopt -o default'
  return Array.isArray(value)
    ? `COMPREPLY=($(compgen -W ${shellQuoted(value.join(' '))} -- "$word"))`
    : 'COMPREPLY=()'
}
