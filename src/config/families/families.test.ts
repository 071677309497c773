import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { flagNames } from '../catalog'
import { COMMANDS } from '../schema'
import { parseArgv } from '../sources/parse-argv'
import { FAMILIES } from './families'
import type { Family } from './family'
import { familiesMarkdown, familyHelp, familyPrograms } from './page'

interface Listed {
  readonly flag: string
  readonly takesValue: boolean
}

const LISTS = { node: ['prlx.txt', 'prlx-more.txt'], signer: ['clef.txt'], miner: ['miner.txt'] } as const

/** A value that the flag's option accepts, if 1 isn't one. */
const SAMPLES: Readonly<Record<string, string>> = {
  syncmode: 'snap',
  algo: 'XHash',
  a: 'xhash',
  pool: 'stratum://x:1',
  P: 'stratum://x:1',
  F: 'stratum://x:1',
}

function listed(family: Family): { flags: readonly Listed[]; commands: readonly string[] } {
  const lines = LISTS[family.name].flatMap((file) => {
    return readFileSync(`test/vectors/flags/${file}`, 'utf8').trim().split('\n')
  })
  const flags = lines
    .filter((line) => !line.startsWith('command '))
    .map((line) => line.replace(', -h', '').split(' '))
    .map(([flag = '', value]) => ({ flag: flag.replace(/^-+/, ''), takesValue: value === 'value' }))
  return { flags, commands: lines.filter((line) => line.startsWith('command ')).map((line) => line.slice(8)) }
}

function call(family: Family, { flag, takesValue }: Listed): readonly string[] {
  const typed = flag.length === 1 ? `-${flag}` : `--${flag}`
  return [family.command, typed, ...(takesValue ? [SAMPLES[flag] ?? '1'] : [])]
}

describe.each(FAMILIES)('the words of $programs', (family) => {
  const { flags, commands } = listed(family)

  it('have one row each', () => {
    const rows = family.flags.map(({ flag }) => flag)

    expect(flags.filter(({ flag }) => !rows.includes(flag))).toEqual([])
    expect(rows.filter((flag, at) => rows.indexOf(flag) !== at)).toEqual([])
    expect([...family.commands.map(({ word }) => word)].sort()).toEqual([...commands].sort())
  })

  // Options whose help shows no value although they take one.
  it('take a value if the list says so', () => {
    const kinds = new Map(flags.map(({ flag, takesValue }) => [flag, takesValue]))
    const other = family.flags.filter(({ flag, takesValue }) => (kinds.get(flag) ?? takesValue) !== takesValue)

    expect(other.map(({ flag }) => flag)).toEqual(family.name === 'node' ? ['jspath'] : [])
  })

  it.each(family.flags)('$flag is answered as its row says', (row) => {
    const { answer } = row
    const read = (): ReturnType<typeof parseArgv> => parseArgv(call(family, row))
    if (answer.kind === 'refused') {
      expect(read).toThrow(`is not supported: ${answer.instead}`)
      return
    }
    const isElsewhere = answer.kind === 'renamed' && !flagNames(family.command).some(({ name }) => name === answer.flag)
    if (isElsewhere) {
      expect(read).toThrow('belongs to: run, miner')
      return
    }
    const { notices, values, help, version, 'list-devices': isList } = read()
    const isTaken = values.length === 1 || help || version || isList
    expect([notices.length, isTaken]).toEqual(answer.kind === 'accepted' ? [1, false] : [0, true])
  })

  it('name only commands that exist', () => {
    const named = family.commands.filter(({ answer }) => answer.kind === 'same' && family.name === 'node')
    const first = named.map(({ word }) => word.split(' ')[0] ?? '')

    expect(first.filter((word) => !COMMANDS.some((command) => command === word))).toEqual([])
  })

  it.each(family.commands.filter(({ answer }) => answer.kind === 'refused'))(
    'says what to use instead of $word',
    (row) => {
      expect(() => parseArgv([...row.word.split(' '), '--nocode'])).toThrow(`headframe ${row.word} does not exist: `)
    },
  )

  it('appear in the help, and on the page if they differ here', () => {
    const program = family.programs.split(', ')[0] ?? ''
    const page = familiesMarkdown()
    const help = familyHelp(program, 80) ?? ''

    expect(familyPrograms()).toContain(program)
    const differing = family.flags.filter(({ answer }) => answer.kind !== 'same')
    expect(differing.filter(({ flag }) => !page.includes(`-${flag}`))).toEqual([])
    expect(family.flags.filter(({ flag }) => !help.includes(`-${flag}`))).toEqual([])
    expect(page).not.toContain('| works |  |')
  })
})
