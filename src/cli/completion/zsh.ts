import { shellQuoted } from '../../shell-quoted.ts'
import { type Described, pathsOf, type Value, valueCases, type Words } from './words.ts'

export const zshCompletion = (all: readonly Words[]): string => `#compdef petstore
_petstore() {
  local at='' known word
  local -a offered
  for word in \${words[2,CURRENT-1]}; do
    known="\${at:+$at }$word"
    case "$known" in
      ${pathsOf(all).map(shellQuoted).join('|')}) at=$known ;;
    esac
  done
  case "$at \${words[CURRENT-1]}" in
${valueCases(all, offer)}
  esac
  case "$at" in
${all.map(commandCase).join('\n')}
  esac
}
compdef _petstore petstore
`

const commandCase = ({ path, commands, flags, argument }: Words): string =>
  `    ${shellQuoted(path)})
      ${offer(argument)}
      offered=(${[...commands, ...flags].map(described).join(' ')})
      _describe petstore offered ;;`

function offer(value: Value): string {
  if (value === 'file') return '_files'
  return Array.isArray(value) ? `compadd -- ${value.map(shellQuoted).join(' ')}` : ':'
}

/** A colon separates the word from what it means. */
const described = ({ word, about }: Described): string =>
  shellQuoted(`${word}:${about.replaceAll(':', '\\:')}`)
