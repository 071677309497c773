// Shell completion, made from the catalog: commands, options of each command, and the accepted words of choices.
import { callFlagsOf } from '../call-flags'
import { flagNames } from '../catalog'
import { COMMAND_HELP } from '../describe'
import { familyPrograms } from '../families/page'
import { COMMANDS, type CommandName } from '../schema'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
/** A shell that completion exists for. */
type Shell = (typeof SHELLS)[number]

/** The script for the shell to source. */
export function completionScript(shell: Shell): string {
  if (shell === 'fish') return fishScript()
  // zsh runs bash completion through its own emulation.
  return shell === 'zsh' ? `autoload -U +X bashcompinit && bashcompinit\n${bashScript()}` : bashScript()
}

interface Flag {
  readonly name: string
  /** Empty = any value, or none. */
  readonly choices: readonly string[]
  readonly takesValue: boolean
  readonly isPath: boolean
}

function flagsOf(command: CommandName): readonly Flag[] {
  const options = flagNames(command).map(({ name, entry, means }) => {
    const { type } = entry.option
    const takesValue = means === null && type.form !== 'switch'
    return { name, choices: type.choices ?? [], takesValue, isPath: takesValue && type.isPath === true }
  })
  const own = callFlagsOf(command).filter(({ name }) => !options.some((option) => option.name === name))
  return [
    ...options,
    ...own.map(({ name, placeholder, takesValue }) => ({
      name,
      choices: [],
      takesValue,
      isPath: placeholder.startsWith('FILE'),
    })),
  ]
}

/** The words that may follow a command, from its usage. */
export function wordsAfter(command: CommandName): readonly string[] {
  if (command === 'help') return [...COMMANDS, ...familyPrograms(), 'man']
  const usage = COMMAND_HELP[command].usage.replace(/^headframe \S+/, '').replace(/--\S+|\[--[^\]]*\]/g, '')
  const words = usage.match(/(?<![\w.-])[a-z][a-z-]*(?![\w.:])/g) ?? []
  return [...new Set(words.filter((word) => word !== 'options' && word !== 'run'))]
}

/** Starts a shell variable; built separately, since `${` has a meaning in our own template strings. */
const D = '$'
/** One per line: a name may contain blanks. */
const FILES = `local IFS=$'\\n'; COMPREPLY=($(compgen -f -- "$current"))`

function bashScript(): string {
  const options = COMMANDS.map((command) => {
    const words = flagsOf(command).map(({ name }) => `--${name}`)
    return `    ${command}) words="${[...words, '--help'].join(' ')}" ;;`
  })
  const all = new Map(COMMANDS.flatMap(flagsOf).map((flag) => [flag.name, flag]))
  const values = [...all.values()].flatMap(({ name, choices, isPath, takesValue }) => {
    if (choices.length > 0)
      return [`    --${name}) COMPREPLY=($(compgen -W "${choices.join(' ')}" -- "$current")); return ;;`]
    if (isPath) return [`    --${name}) ${FILES}; return ;;`]
    return takesValue ? [`    --${name}) COMPREPLY=(); return ;;`] : []
  })
  const following = COMMANDS.flatMap((command) => {
    const words = wordsAfter(command)
    return words.length === 0 ? [] : [`    ${command}) words="${words.join(' ')}" ;;`]
  })
  return [
    '_headframe() {',
    `  local current="${D}{COMP_WORDS[COMP_CWORD]}" previous="${D}{COMP_WORDS[COMP_CWORD-1]}" command="run" words="" word`,
    // zsh takes a bare word after the colon for a modifier.
    `  for word in "${D}{COMP_WORDS[@]:1:$((COMP_CWORD-1))}"; do`,
    `    case "$word" in ${COMMANDS.join('|')}) command="$word"; break ;; esac`,
    '  done',
    '  case "$previous" in',
    ...values,
    '  esac',
    '  case "$command" in',
    ...options,
    '  esac',
    `  if [[ "$COMP_CWORD" == 1 && "$current" != -* ]]; then words="${COMMANDS.join(' ')}"; fi`,
    `  if [[ "$COMP_CWORD" == 2 && "$current" != -* ]]; then words=""; case "$command" in`,
    ...following,
    '  esac; fi',
    `  if [[ "$COMP_CWORD" != 1 && "$current" != -* && ( "$COMP_CWORD" != 2 || -z "$words" ) ]]; then ${FILES}; return; fi`,
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '}',
    'complete -o filenames -F _headframe headframe',
    '',
  ].join('\n')
}

function fishScript(): string {
  const isFirst = `not __fish_seen_subcommand_from ${COMMANDS.join(' ')}`
  const commands = COMMANDS.map((command) => `complete -c headframe -f -n '${isFirst}' -a ${command}`)
  const options = COMMANDS.flatMap((command) =>
    flagsOf(command).map(({ name, choices, takesValue, isPath }) => {
      const when = command === 'run' ? isFirst : `__fish_seen_subcommand_from ${command}`
      const value = choices.length > 0 ? ` -x -a '${choices.join(' ')}'` : takesValue ? (isPath ? ' -r -F' : ' -x') : ''
      return `complete -c headframe -n '${when}' -l ${name}${value}`
    }),
  )
  const following = COMMANDS.flatMap((command) =>
    wordsAfter(command).map((word) => `complete -c headframe -n '__fish_seen_subcommand_from ${command}' -a ${word}`),
  )
  return [...commands, ...following, ...options, ''].join('\n')
}
