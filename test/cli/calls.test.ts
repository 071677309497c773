// Calls that end at once: what is printed where, and the exit code.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { call, IS_BUILT, temporaryFolder } from './program'

const folder = temporaryFolder()
afterAll(folder.remove)

function file(name: string, text: string): string {
  const path = join(folder.path, name)
  writeFileSync(path, text)
  return path
}

describe.skipIf(!IS_BUILT)('a call that only prints', () => {
  it('shows the version on standard output', async () => {
    const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync('package.json', 'utf8')))

    expect(await call(['version'])).toEqual({ code: 0, stdout: `headframe ${version}\n`, stderr: '' })
  })

  it.each([
    [['--help'], 'Usage: headframe [command] [options]'],
    [['help', 'signer'], 'Usage: headframe signer [options]'],
    [['node', '--help'], 'Usage: headframe node [options]'],
  ])('shows help for %j', async (args, head) => {
    const { code, stdout, stderr } = await call(args)

    expect([code, stdout.split('\n')[0], stderr]).toEqual([0, head, ''])
  })

  it('shows the settings in effect with their sources, secrets masked', async () => {
    const config = file('good.toml', '[miner]\ncpu-threads = 2\n')
    const environment = { HEADFRAME_HTTP_PORT: '7', HEADFRAME_API_TOKEN: 'token-of-more-than-16' }

    const { code, stdout } = await call(['config', '--config', config, '--log.json', '--datadir', folder.path], {
      environment,
    })

    expect(code).toBe(0)
    expect(stdout).toMatch(new RegExp(`^miner\\.cpu-threads +2 +file ${config}:2$`, 'm'))
    expect(stdout).toMatch(/^node\.http-port +7 +environment HEADFRAME_HTTP_PORT$/m)
    expect(stdout).toMatch(/^app\.log-json +true +command line --log\.json$/m)
    expect(stdout).toMatch(/^api\.token +\*\*\* +environment HEADFRAME_API_TOKEN$/m)
  })

  it('shows the devices as JSON', async () => {
    const { code, stdout } = await call(['devices', '--json', '--datadir', folder.path])

    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject([{ index: 0, backend: 'cpu' }])
  })
})

describe.skipIf(!IS_BUILT)('a wrong call', () => {
  it.each([
    [['--htpp'], 'unknown option --htpp; did you mean --http?'],
    [['nod'], 'unknown command nod; did you mean node?'],
    [['--cpu-threads', 'many'], '--cpu-threads: many is not in 1..256'],
    [['--network', 'moon'], '--network: moon is not one of practice, main, test'],
    [['--mainnet'], '--network: main needs peers, which this version does not have yet; accepted: practice'],
    [['--testnet'], '--network: test needs peers, which this version does not have yet; accepted: practice'],
    [['miner'], 'headframe miner needs a pool, which this version does not have yet; use: headframe run'],
    [['run', 'fast'], 'unexpected word fast after headframe run; accepted: options only'],
    [['account'], 'unexpected word (nothing) after headframe account; accepted: new, list'],
    [['account', 'new'], '--password: a value is missing; accepted: a file whose first line is the password'],
  ])('%j ends with 2 and one line', async (args, message) => {
    const outcome = await call([...args, '--datadir', folder.path])

    expect(outcome).toEqual({ code: 2, stdout: '', stderr: `headframe: ${message}\n` })
  })

  it('names file, line and column of a broken config file', async () => {
    const config = file('broken.toml', '[node]\nhttp-port = = 1\n')

    const { code, stderr } = await call(['run', '--config', config, '--datadir', folder.path])

    expect(code).toBe(2)
    expect(stderr).toMatch(new RegExp(`^headframe: ${config}:2:\\d+: not TOML: .+\n$`))
  })

  it('names file, line and key of a config value of the wrong type', async () => {
    const config = file('typed.toml', '[node]\nhttp-port = "many"\n')

    const { code, stderr } = await call(['run', '--config', config, '--datadir', folder.path])

    expect([code, stderr]).toEqual([2, `headframe: ${config}:2: node.http-port: "many" is not in 0..65535\n`])
  })

  it('names a config file that is not there', async () => {
    const missing = join(folder.path, 'missing.toml')

    const { code, stderr } = await call(['config', '--config', missing])

    expect([code, stderr]).toEqual([2, `headframe: --config: ${missing} does not exist\n`])
  })

  it('says so as an object with --log.json', async () => {
    const { code, stderr } = await call(['--cpu-threads', '0', '--log.json'])

    expect(code).toBe(2)
    expect(JSON.parse(stderr)).toEqual({
      level: 'error',
      module: 'cli',
      message: '--cpu-threads: 0 is not in 1..256',
      fields: { code: 'CONFIG_VALUE_INVALID' },
    })
  })
})

describe.skipIf(!IS_BUILT)('account', () => {
  const datadir = join(folder.path, 'accounts')
  const common = ['--datadir', datadir, '--signer.lightkdf']

  it('makes an account with a password from a file, lists it, and reports a file that is no key', async () => {
    const password = file('password.txt', 'a long enough password\nsecond line\n')

    const made = await call(['account', 'new', '--password', password, ...common])
    writeFileSync(join(datadir, 'keystore', 'UTC--broken'), '{"address":')
    const listed = await call(['account', 'list', ...common])

    expect(made).toMatchObject({ code: 0, stderr: '' })
    expect(made.stdout).toMatch(/^0x[0-9a-fA-F]{40}\n$/)
    expect(listed.code).toBe(0)
    expect(listed.stdout).toMatch(new RegExp(`^${made.stdout.trim()}  UTC--\\S+\n$`))
    expect(listed.stderr).toBe('headframe: note: UTC--broken: key file is not valid: not JSON\n')
  })

  it('refuses a password that is too short with 1', async () => {
    const password = file('short.txt', 'short\n')

    const { code, stdout, stderr } = await call(['account', 'new', '--password', password, ...common])

    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^headframe: password requirements not met: .+\n$/)
  })

  it('fails with 1 on a keystore that is no folder', async () => {
    mkdirSync(datadir, { recursive: true })
    const notAFolder = file('keystore-file', '')

    const { code, stderr } = await call(['account', 'list', '--datadir', datadir, '--signer.keystore', notAFolder])

    expect(code).toBe(1)
    expect(stderr).toMatch(new RegExp(`^headframe: keystore ${notAFolder} cannot be used: .+\n$`))
  })
})
