// The script `headframe` of the desktop packages: which of the two programs it starts, and what it says where Chromium
// would exit immediately.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'

const tool = pathToFileURL(resolve(import.meta.dirname, '../../tools/lib/linux-launcher.mjs')).href
const { LAUNCHER, LINUX_BINARY } = z
  .object({ LAUNCHER: z.string(), LINUX_BINARY: z.string() })
  .parse(await import(tool))

/** In place of the program: prints what it is started as, and the profile that the system gave it. */
const BINARY = `#!/bin/sh
if [ "$1" = -p ]; then
  printf '%s\\n' "$PROFILE"
else
  printf '%s' "\${ELECTRON_RUN_AS_NODE:-window}"
  printf ' %s' "$@"
fi
`
const FORBIDDEN = 'exit 1'
const isRoot = process.getuid?.() === 0

describe.skipIf(process.platform !== 'linux')('the launcher', () => {
  let base = ''
  let program = ''
  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'launcher-'))
    program = join(base, 'a program')
    mkdirSync(program)
    script(join(program, 'headframe'), LAUNCHER)
    script(join(program, LINUX_BINARY), BINARY)
    script(join(program, 'chrome-sandbox'), '')
    command('id', 'echo 1000')
    command('unshare', FORBIDDEN)
  })
  afterEach(() => rmSync(base, { recursive: true, force: true }))

  function script(path: string, text: string): void {
    writeFileSync(path, text)
    chmodSync(path, 0o755)
  }

  /** Replaces one of the system's. */
  function command(name: string, text: string): void {
    mkdirSync(join(base, 'commands'), { recursive: true })
    script(join(base, 'commands', name), `#!/bin/sh\n${text}\n`)
  }

  function start(words: readonly string[], environment: Readonly<Record<string, string>> = { DISPLAY: ':0' }) {
    const env = { PATH: `${join(base, 'commands')}${delimiter}/usr/bin${delimiter}/bin`, ...environment }
    const { status, stdout, stderr } = spawnSync(join(program, 'headframe'), words, { env, encoding: 'utf8' })
    return { status, stdout, stderr }
  }

  it('opens the window if the system allows user namespaces', () => {
    command('unshare', '[ "$*" = "--user --map-root-user true" ]')

    expect(start(['--practice'])).toEqual({ status: 0, stdout: 'window --practice', stderr: '' })
  })

  it("says what to do if it doesn't", () => {
    const helper = join(program, 'chrome-sandbox')

    const { status, stdout, stderr } = start(['run'])

    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toContain(`\nsudo chown root:root '${helper}' && sudo chmod 4755 '${helper}'\n`)
    expect(stderr).toMatch(/^headframe: this system gives Chromium's sandbox no user namespaces/)
  })

  it("names other packages where it is an AppImage, whose folder isn't the user's, and takes no update from beside it", () => {
    const image = { DISPLAY: ':0', APPDIR: program }
    mkdirSync(`${program}.update`)

    const { status, stdout, stderr } = start(['run'], image)

    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toContain('Install the Debian or RPM package')
    expect(stderr).not.toContain('sudo')
    expect(start(['run', '--headless'], image).stdout).toMatch(/^1 [^\n]*cli\.cjs run --headless$/)
    expect(start(['run', '--headless'], { APPDIR: '/another' }).stdout).toContain('place-update.cjs')
  })

  it('shows it in a dialog box to users without a terminal', async () => {
    const shown = join(base, 'shown')
    command('zenity', `printf '%s|' "$@" > '${shown}.draft'; mv '${shown}.draft' '${shown}'`)

    start([])

    await expect.poll(() => readFileSync(shown, 'utf8')).toMatch(/^--error\|--no-markup\|--text\|this system gives/)
  })

  it.runIf(isRoot)("opens the window with Chromium's helper set up", () => {
    chmodSync(join(program, 'chrome-sandbox'), 0o4755)
    command('findmnt', 'echo rw,relatime')
    expect(start([]).stdout).toBe('window ')

    command('findmnt', 'echo rw,nosuid,relatime')
    expect(start([]).status).toBe(1)
  })

  it('opens the window if an AppArmor profile allows this program', () => {
    expect(start([], { DISPLAY: ':0', PROFILE: 'headframe (unconfined)' }).stdout).toBe('window ')
    expect(start([], { DISPLAY: ':0', PROFILE: 'unconfined' }).status).toBe(1)
  })

  it('omits the sandbox on request, but not for a link', () => {
    expect(start(['--no-sandbox']).stdout).toBe('window --no-sandbox')
    expect(start(['--', '--no-sandbox']).status).toBe(1)
  })

  it('denies root a window, and nothing else', () => {
    command('id', 'echo 0')

    expect(start([])).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^headframe: the window does not open for root/),
    })
    expect(start(['run', '--headless']).stdout).toMatch(/^1 .*cli\.cjs run --headless$/)
  })

  it.each([
    ['a command', ['devices'], { DISPLAY: ':0' }],
    ['no display', [], {}],
  ])('asks for no sandbox for %s', (_what, words, environment) => {
    expect(start(words, environment)).toMatchObject({ status: 0, stdout: expect.stringMatching(/^1 .*cli\.cjs/) })
  })
})
