// Commands that only print: help, version, config, dumpconfig.
import { cellText } from '../../base/language/visible-text'
import { systemClock } from '../../base/time'
import { effectiveSettings } from '../../config/describe'
import { configToml } from '../../config/dump'
import { ConfigError } from '../../config/errors'
import { familyHelp, familyPrograms } from '../../config/families/page'
import { completionScript, SHELLS } from '../../config/help/completion'
import { helpText } from '../../config/help/help-text'
import { manualPage } from '../../config/help/manual'
import { helpColumns } from '../../config/help/wrapped'
import { COMMANDS } from '../../config/schema'
import { nearest } from '../../config/sources/nearest'
import type { CliCall, CliWorld } from '../call'
import { EXIT_DONE } from '../exit-codes'
import { configOf } from '../load-config'
import { expectNoWords } from '../words'

/** After `help`: the manual page as roff. */
const MANUAL = 'man'
const SECONDS_TO_MS = 1_000

/** `headframe help [command] [--all]`, `help prlx` for another program's flags, `help man`, and --help after any command. */
export function runHelp({ argv, parsed, world }: CliCall): number {
  const isHelpCommand = parsed.command === 'help'
  const word = isHelpCommand ? parsed.words[0] : parsed.command
  const isBare = word === undefined || (!isHelpCommand && !argv.includes(parsed.command))
  const command = COMMANDS.find((name) => name === word)
  const columns = helpColumns(world.platform.columns?.())
  const other = isHelpCommand && command === undefined ? otherHelp(word ?? '', columns, world) : null
  if (other !== null) {
    world.platform.standardOutput(other.trimEnd())
    return EXIT_DONE
  }
  if (!isBare && command === undefined) {
    const known = [...COMMANDS, ...familyPrograms(), MANUAL]
    throw new ConfigError('CONFIG_UNKNOWN_COMMAND', { word, nearest: nearest(word, known), accepted: known.join(', ') })
  }
  world.platform.standardOutput(
    helpText({ command: isBare ? null : (command ?? null), all: parsed.all }, columns).trimEnd(),
  )
  return EXIT_DONE
}

/** Help that isn't a command's; null when nothing has that name. */
function otherHelp(word: string, columns: number, { platform, surroundings }: CliWorld): string | null {
  if (word !== MANUAL) return familyHelp(word, columns)
  // Reproducible packages need a fixed date.
  const fixed = Number(surroundings.environment.SOURCE_DATE_EPOCH)
  const date = Number.isSafeInteger(fixed) && fixed > 0 ? fixed : systemClock().now() / SECONDS_TO_MS
  return manualPage({ version: platform.version, date })
}

/** `headframe completion bash|zsh|fish`. */
export function runCompletion({ parsed, world }: CliCall): number {
  const [word, second] = parsed.words
  const shell = second === undefined ? SHELLS.find((name) => name === word) : undefined
  if (shell === undefined) {
    const accepted = SHELLS.join(', ')
    throw new ConfigError('CONFIG_UNEXPECTED_WORD', {
      word: second ?? word ?? '',
      command: 'completion',
      accepted,
    })
  }
  world.platform.standardOutput(completionScript(shell).trimEnd())
  return EXIT_DONE
}

/** `headframe version`, and --version anywhere; --json: an object. @throws ConfigError CONFIG_UNEXPECTED_WORD */
export function runVersion({ parsed, world }: CliCall): number {
  if (parsed.command === 'version') expectNoWords(parsed)
  const { version, standardOutput } = world.platform
  standardOutput(parsed.json ? JSON.stringify({ name: 'headframe', version }) : `headframe ${version}`)
  return EXIT_DONE
}

/** `headframe dumpconfig`: non-default settings as a config file. */
export function runDumpConfig(call: CliCall): number {
  expectNoWords(call.parsed)
  call.world.platform.standardOutput(configToml(configOf(call)).trimEnd())
  return EXIT_DONE
}

/** `headframe config`: every effective setting with its source, secrets masked. */
export function runConfig(call: CliCall): number {
  const { parsed, world } = call
  expectNoWords(parsed)
  const { platform } = world
  const settings = effectiveSettings(configOf(call))
  if (parsed.json) {
    platform.standardOutput(JSON.stringify(settings, null, 2))
    return EXIT_DONE
  }
  const keyWidth = Math.max(...settings.map(({ key }) => key.length))
  const rows = settings.map(({ key, value, source }) => ({ key, text: cellText(value ?? '-'), source }))
  const valueWidth = Math.min(40, Math.max(...rows.map(({ text }) => text.length)))
  for (const { key, text, source } of rows) {
    platform.standardOutput(`${key.padEnd(keyWidth)}  ${text.padEnd(valueWidth)}  ${source}`)
  }
  return EXIT_DONE
}
