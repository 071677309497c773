import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ENTRIES } from '../catalog'
import { familyHelp, familyPrograms } from '../families/page'
import { COMMANDS, type CommandName } from '../schema'
import { parseArgv } from '../sources/parse-argv'
import { TASKS, USUAL } from './command-words'
import { completionScript, wordsAfter } from './completion'
import { helpText } from './help-text'
import { manualPage } from './manual'
import { helpColumns } from './wrapped'

describe('help', () => {
  it('show the options of a command in its own spelling', () => {
    const shown = (command: CommandName): string => helpText({ command, all: true }, 80)

    expect(shown('signer')).toContain('  --http.port PORT')
    expect(shown('run')).toContain('  --signer.http.port PORT')
    expect(shown('signer')).not.toContain('--mine')
  })

  it('says on one screen what people do, and every call in it is one', () => {
    const lines = helpText({ command: null, all: false }, 80).split('\n')

    // The line after the last one is the shell's.
    expect(lines.length).toBeLessThanOrEqual(24)
    for (const [, call] of TASKS) {
      const words = call
        .replace('URL', 'stratum://a@127.0.0.1:1')
        .replace('0xADDRESS', `0x${'11'.repeat(20)}`)
        .split(' ')
      expect(COMMANDS).toContain(parseArgv(words.slice(1)).command)
      expect(lines.filter((line) => line.endsWith(call))).toHaveLength(1)
    }
  })

  it('names every command with --all', () => {
    const lines = helpText({ command: null, all: true }, 80).split('\n')
    const named = lines.flatMap((line) => /^ {2}([a-z]+) {2,}\S/.exec(line)?.[1] ?? [])

    expect(named).toEqual(COMMANDS)
  })

  it('shows the usual options of a command, and counts the others', () => {
    const keys = ENTRIES.map(({ key }) => key)
    expect([...USUAL].filter((key) => !keys.includes(key))).toEqual([])
    for (const command of COMMANDS) {
      const short = helpText({ command, all: false }, 80)
      const options = (text: string): number =>
        text.split('\n').filter((line) => /^ {2}(?:-\w, )?--\S/.test(line)).length
      const left = options(helpText({ command, all: true }, 80)) - options(short)

      expect(short.split('\n').length).toBeLessThan(130)
      expect(short.includes(`headframe help ${command} --all shows ${left} more options.`)).toBe(left > 0)
    }
  })

  it('describes the flags of single commands', () => {
    expect(helpText({ command: 'send', all: false }, 80)).toMatch(/^ {2}--wait +Wait until /m)
    expect(helpText({ command: 'stop', all: false }, 80)).not.toContain('Of this command')
  })

  it.each([60, 80, 120])('fits %i columns and uses them, except for longer words', (columns) => {
    const requests = [null, ...COMMANDS].flatMap((command) => [false, true].map((all) => ({ command, all })))
    const texts = requests.map((request) => helpText(request, columns))
    const families = familyPrograms().map((program) => familyHelp(program, columns) ?? '')
    const lines = [...texts, ...families].flatMap((text) => text.split('\n'))
    const isUsage = (line: string): boolean =>
      /^(Usage:| {2}headframe )/.test(line) || TASKS.some(([, call]) => line.endsWith(call))

    expect(lines.filter((line) => line.length > columns && !isUsage(line) && /\S\s+\S/.test(line.trim()))).toEqual([])
    expect(lines.filter((line) => line.length > columns - 10).length).toBeGreaterThan(100)
  })

  it('is as wide as the terminal within bounds, and 80 columns without one', () => {
    expect([undefined, 0, 40, 100, 300].map(helpColumns)).toEqual([80, 80, 60, 100, 120])
  })
})

const MANUAL = manualPage({ version: '1.2.3', date: 1_790_000_000 })

describe('manual page', () => {
  it('has every command and every option, spelled as it is typed', () => {
    const plain = MANUAL.replaceAll('\\-', '-')
    for (const command of COMMANDS) expect(plain).toContain(`.SS "${command} - `)
    for (const { option } of ENTRIES) expect(plain).toMatch(new RegExp(`^\\.B (?:-\\w, )?--${option.flag}(?: |$)`, 'm'))
  })

  it('has nothing that roff would treat as a request', () => {
    const requests = new Set(MANUAL.split('\n').flatMap((line) => /^[.'](\S*)/.exec(line)?.[1] ?? []))
    expect([...requests].sort()).toEqual([
      'B',
      'EE',
      'EX',
      'I',
      'PP',
      'RI',
      'SH',
      'SS',
      'TH',
      'TP',
      '\\"',
      'ad',
      'hy',
      'na',
      'nh',
    ])
  })

  it.runIf(existsSync('/usr/bin/mandoc'))('passes mandoc', () => {
    const { status, stdout } = spawnSync('mandoc', ['-Tlint', '-Wwarning'], { input: MANUAL, encoding: 'utf8' })
    expect([status, stdout]).toEqual([0, ''])
  })

  it.runIf(existsSync('/usr/bin/groff'))('passes groff, and fits the lines of a terminal', () => {
    const words = ['-man', '-Tutf8', '-ww', '-rLL=80n', '-P-bcu']
    const { status, stderr, stdout } = spawnSync('groff', words, { input: MANUAL, encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
  })
})

/** What bash offers for the last of these words. */
function offered(...words: readonly string[]): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'headframe-completion-'))
  try {
    const script = join(folder, 'completion.bash')
    const typed = words.map((word) => `'${word}'`).join(' ')
    const ask = `COMP_WORDS=(headframe ${typed}); COMP_CWORD=${words.length}; _headframe; printf '%s\\n' "\${COMPREPLY[@]}"`
    writeFileSync(script, `${completionScript('bash')}\n${ask}\n`)
    writeFileSync(join(folder, 'a name.toml'), '')
    return execFileSync('bash', [script], { cwd: folder, encoding: 'utf8' })
      .split('\n')
      .filter((line) => line !== '')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe.runIf(existsSync('/bin/bash'))('completion in bash', () => {
  it('offers commands first', () => {
    expect(offered('sig')).toEqual(['signer'])
  })

  it("offers the typed command's options, in its spelling", () => {
    expect(offered('signer', '--http.po')).toEqual(['--http.port'])
    expect(offered('run', '--signer.http.po')).toEqual(['--signer.http.port'])
    expect(offered('--signer.http.po')).toEqual(['--signer.http.port'])
    expect(offered('miner', '--mine')).toEqual([])
    expect(offered('send', '--wa')).toEqual(['--wait'])
  })

  it('offers the words that follow a command, and files where none do', () => {
    expect(offered('requests', 'a')).toEqual(['approve', 'all'])
    expect(offered('db', '')).toEqual(['inspect', 'stats', 'verify', 'compact', 'repair'])
    expect(offered('help', 'sen')).toEqual(['send'])
    expect(offered('import', 'comp')).toEqual(['completion.bash'])
    expect(COMMANDS.filter((command) => wordsAfter(command).length > 0)).toEqual([
      'signer',
      'db',
      'account',
      'rules',
      'audit',
      'rigs',
      'pool',
      'tune',
      'requests',
      'completion',
      'help',
    ])
  })

  it('offers the words of a choice, and files for a path', () => {
    expect(offered('node', '--gcmode', '')).toEqual(['full', 'archive'])
    expect(offered('node', '--config', 'comp')).toEqual(['completion.bash'])
    expect(offered('node', '--config', 'a na')).toEqual(['a name.toml'])
    expect(offered('node', '--http.port', '')).toEqual([])
  })
})

/** Types into a separate zsh with Tab, and waits for the completion. */
const ZSH_SESSION = `
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'unsetopt beep; autoload -U compinit; compinit -u -D; source ./completion.zsh; print RE""ADY'
zpty -r -m shell seen '*READY*'
zpty -w -n shell $'headframe sig\t'
zpty -r -m shell seen '*headframe sig*ner*'
zpty -w -n shell $' --http.po\t'
zpty -r -m shell seen '*--http.po*rt*'
zpty -d shell
print completed
`

describe.runIf(existsSync('/usr/bin/zsh'))('completion in zsh', () => {
  it("offers commands, and the typed command's options", () => {
    expect(completed('zsh', ['-f', '-c', ZSH_SESSION])).toEqual(['completed'])
  })
})

describe.runIf(existsSync('/usr/bin/fish'))('completion in fish', () => {
  it("offers commands, the typed command's options, and the words of a choice", () => {
    const ask = ['sig', 'signer --http.po', 'node --gcmode '].map((typed) => `complete -C "headframe ${typed}"`)

    expect(completed('fish', ['--no-config', '-c', `source ./completion.fish; ${ask.join('; ')}`])).toEqual([
      'signer',
      '--http.port',
      'archive',
      'full',
    ])
  })
})

/** The lines that a shell prints in a folder that contains its completion script. */
function completed(shell: 'zsh' | 'fish', args: readonly string[]): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'headframe-completion-'))
  try {
    writeFileSync(join(folder, `completion.${shell}`), completionScript(shell))
    const printed = execFileSync(shell, args, { cwd: folder, encoding: 'utf8', timeout: 240_000 })
    return printed.split('\n').filter((line) => line !== '')
  } finally {
    rmSync(folder, { recursive: true })
  }
}
