// Integrations with other systems for rigs: the inventory for Ansible and the package for mmpOS, run as those run them.
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from './program'

const RESOURCES = resolve(import.meta.dirname, '..', '..', 'resources')
const folder = temporaryFolder()
afterAll(folder.remove)
const lacks = (programs: readonly string[]): boolean =>
  process.platform !== 'linux' || programs.some((name) => spawnSync('which', [name]).status !== 0)

describe.skipIf(lacks(['python3']))('the inventory for Ansible (skipped without Python)', () => {
  const gpu = { paused: false, powerWatts: 0 }
  const gpus = [
    { ...gpu, powerWatts: 200 },
    { ...gpu, paused: true },
  ]
  const figures = { hashrate: { s60: 5e7 }, powerWatts: 200, gpus }
  const rigs = [
    {
      name: 'rig 1',
      host: '10.0.0.1:3333',
      labels: { group: 'cellar', site: 'a-b' },
      online: true,
      error: '',
      figures,
    },
    {
      name: 'rig.1',
      host: '[fd00::1]:3333',
      labels: {},
      online: false,
      error: "{{ lookup('pipe', 'id') }}",
      figures: null,
    },
  ]

  function inventory(answer: string, code: number, words = ['--list']) {
    const program = join(folder.path, 'headframe')
    writeFileSync(program, `#!/bin/sh\ncat <<'END'\n${answer}\nEND\nexit ${code}\n`)
    chmodSync(program, 0o755)
    const env = { PATH: process.env.PATH, HEADFRAME: program }
    return spawnSync('python3', [join(RESOURCES, 'ansible/headframe_inventory.py'), ...words], {
      env,
      encoding: 'utf8',
    })
  }

  it('names rigs, groups and numbers, and no text from a rig', () => {
    const { stdout } = inventory(JSON.stringify(rigs), 1)
    expect(JSON.parse(stdout)).toEqual({
      rigs_online: { hosts: ['rig_1'] },
      rigs_offline: { hosts: ['rig_1_'] },
      group_cellar: { hosts: ['rig_1'] },
      site_a_b: { hosts: ['rig_1'] },
      _meta: {
        hostvars: {
          rig_1: {
            headframe_rig: 'rig 1',
            headframe_online: true,
            ansible_host: '10.0.0.1',
            headframe_hashrate: 5e7,
            headframe_power_watts: 200,
            headframe_gpus: 2,
            headframe_gpus_paused: 1,
            headframe_gpus_unmetered: 1,
          },
          rig_1_: { headframe_rig: 'rig.1', headframe_online: false, ansible_host: 'fd00::1' },
        },
      },
    })
    expect(inventory('[]', 0, ['--host', 'rig_1']).stdout.trim()).toBe('{}')
  })

  it('has no power that no GPU reports', () => {
    const rig = { ...rigs[0], figures: { ...figures, powerWatts: 0, gpus: [gpu] } }
    const { rig_1: variables } = JSON.parse(inventory(JSON.stringify([rig]), 0).stdout)._meta.hostvars
    expect([variables.headframe_power_watts, variables.headframe_gpus_unmetered]).toEqual([undefined, 1])
  })

  it.each([
    [{ site: 'a_b' }, 'site_a_b means both site=a-b and site=a_b'],
    [{ rigs: 'online' }, 'rigs_online means both whether a rig answers and rigs=online'],
  ])('fails before rigs of different labels become one group: %j', (labels, reason) => {
    const { status, stdout, stderr } = inventory(JSON.stringify([rigs[0], { ...rigs[1], labels }]), 1)
    expect([status, stdout, stderr.trim()]).toEqual([1, '', `the group ${reason}: rename one`])
  })

  it('fails if the program does', () => {
    expect(inventory('headframe: no rigs', 2)).toMatchObject({ status: 1, stdout: '' })
  })
})

describe.skipIf(lacks(['ansible-playbook', 'python3']))('the role for Ansible (skipped without Ansible)', () => {
  const place = join(folder.path, 'ansible')
  const program = join(place, 'headframe')
  const calls = join(place, 'calls')

  /** Runs the role on the rigs of one group, with the real inventory. @returns what Ansible printed */
  function play(settings: Readonly<Record<string, string>>, answer = '[]', code = 0): string {
    mkdirSync(place, { recursive: true })
    const rigs = [
      { name: 'rig 1', host: '10.0.0.1:3333', labels: { group: 'cellar' }, online: true, error: '', figures: null },
      { name: 'rig.2', host: '10.0.0.2:3333', labels: { group: 'attic' }, online: true, error: '', figures: null },
    ]
    const list = `[ "$2" = list ] && cat <<'END' && exit 0\n${JSON.stringify(rigs)}\nEND`
    writeFileSync(
      program,
      `#!/bin/sh\n${list}\nprintf '%s\\n' "$@" > '${calls}'\ncat <<'END'\n${answer}\nEND\nexit ${code}\n`,
    )
    chmodSync(program, 0o755)
    const role = { role: 'headframe_rigs', vars: { headframe_program: program, ...settings } }
    const plays = [{ hosts: 'group_cellar', gather_facts: false, roles: [role] }]
    writeFileSync(join(place, 'play.yml'), JSON.stringify(plays)) // JSON is YAML
    const env = {
      PATH: process.env.PATH,
      HOME: place,
      HEADFRAME: program,
      ANSIBLE_ROLES_PATH: join(RESOURCES, 'ansible/roles'),
    }
    const words = ['-v', '-i', join(RESOURCES, 'ansible/headframe_inventory.py'), join(place, 'play.yml')]
    const { stdout, stderr } = spawnSync('ansible-playbook', words, { env, encoding: 'utf8' })
    return `${stdout}${stderr}`
  }

  it('commands the rigs of the play, and only those', () => {
    expect(play({ headframe_action: 'pause', headframe_rig_file: '/etc/rigs.txt' })).toContain('failed=0')
    expect(readFileSync(calls, 'utf8').trim().split('\n')).toEqual([
      ...['rigs', 'pause', 'rig 1', '--rig-file', '/etc/rigs.txt', '--json'],
    ])
  })

  it("passes a pool on without printing it, and fails when a rig doesn't obey", () => {
    const pool = 'stratum+tcp://me:hunter2@pool.example:1'
    const text = play({ headframe_action: 'set-pool', headframe_pool: pool }, '[{"rig":"rig 1","done":false}]', 1)
    expect(readFileSync(calls, 'utf8').split('\n').slice(0, 4)).toEqual(['rigs', 'set-pool', pool, 'rig 1'])
    expect(text).toContain('failed=1')
    expect(text).not.toContain('hunter2')
  })
})

describe.skipIf(lacks(['bash', 'jq', 'curl']))('the package for mmpOS (skipped without bash, jq or curl)', () => {
  const device = (pci: string, now: number) => ({
    pci,
    hashrate: { now },
    shares: { accepted: 4, rejected: 1, failed: 2 },
  })
  const summary = {
    miner: { version: '1.2.3' },
    shares: { accepted: 8, rejected: 2, failed: 4 },
    gpus: [device('0a:00.0', 5e7), device('0001:1f:00.0', 4e7), device('', 1000)],
  }

  /** As the agent runs it. Must not block this thread, which answers its requests. */
  function stats(api: string, pid: number | null): Promise<string> {
    const place = join(folder.path, 'mmpos-stats')
    mkdirSync(join(place, 'data'), { recursive: true })
    cpSync(join(RESOURCES, 'mmpos'), place, { recursive: true })
    const ready = join(place, 'data/ready.json')
    rmSync(ready, { force: true })
    if (pid !== null) writeFileSync(ready, JSON.stringify({ pid, api }))
    const env = { PATH: process.env.PATH, HEADFRAME_API_BIND: api }
    const script = spawn(join(place, 'mmp-stats.sh'), ['3', '/dev/null'], { env })
    let text = ''
    script.stdout.on('data', (bytes) => {
      text += String(bytes)
    })
    return new Promise((done) => {
      script.on('close', () => done(text))
    })
  }

  it("reports rates and shares in its agent's format, the CPU first", async () => {
    const server = createServer((_request, response) => response.end(JSON.stringify(summary)))
    await new Promise<void>((listening) => {
      server.listen(0, '127.0.0.1', listening)
    })
    const bind = `127.0.0.1:${(server.address() as AddressInfo).port}`
    const text = await stats(bind, process.pid)
    expect(await stats(bind, null), 'of another program').toBe('')
    expect(await stats(bind, 2 ** 22), 'after a killed run').toBe('')
    await new Promise((closed) => {
      server.close(closed)
    })
    expect(JSON.parse(text)).toEqual({
      busid: ['cpu', 10, 31],
      hash: [1000, 5e7, 4e7],
      units: 'hs',
      air: ['8', '4', '2'],
      shares: { accepted: [4, 4, 4], rejected: [1, 1, 1], invalid: [2, 2, 2] },
      miner_name: 'headframe',
      miner_version: '1.2.3',
    })
    expect(await stats(bind, process.pid), 'once nobody answers').toBe('')
  })

  it("starts the miner with the profile's arguments", () => {
    const place = join(folder.path, 'mmpos')
    cpSync(join(RESOURCES, 'mmpos'), place, { recursive: true })
    mkdirSync(join(place, 'program'))
    writeFileSync(join(place, 'program/headframe'), '#!/bin/sh\nprintf "%s\\n" "$@"\n')
    chmodSync(join(place, 'program/headframe'), 0o755)
    const words = ['-P', 'stratum://0x1.rig one@pool.example:1', '--tstop', '80']
    const { stdout } = spawnSync(join(place, 'headframe.sh'), words, { encoding: 'utf8' })
    expect(stdout.trim().split('\n')).toEqual([
      ...['miner', '--headless', '--datadir', join(place, 'data'), '--ready-file', join(place, 'data/ready.json')],
      ...['--api-bind', '127.0.0.1:3333'],
      ...words,
    ])
  })
})
