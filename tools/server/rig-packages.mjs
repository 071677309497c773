// The packages for rigs as the agents of HiveOS and mmpOS handle them, in a clean Debian without the libraries of a desktop: unpacked,
// configured and started by their scripts, mining for a node on the practice chain, asked for figures, replaced by a newer version,
// deleted.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../lib/free-port.mjs'
import { manifest } from '../lib/packages.mjs'
import { ToolError } from '../lib/project.mjs'
import { INSTALL, QUIET } from './package-steps.mjs'
import { rpc, supervised } from './supervised-run.mjs'

const OLD_VERSION = '0.0.1'
const WALLET = '0x00000000000000000000000000000000000000aa'
const HANG_MS = 240_000
const POLL_MS = 200

/** Where each agent unpacks a miner, how it starts it and what it asks; `$HEADFRAME_API_BIND` and `$NODE` are set. */
const SYSTEMS = {
  hiveos: {
    folder: '/hive/miners/custom',
    prepare: `. ./h-manifest.conf
      export CUSTOM_URL="http://$NODE" CUSTOM_TEMPLATE=${WALLET}.rig CUSTOM_PASS=x CUSTOM_USER_CONFIG='--network practice --cpu'
      . ./h-config.sh`,
    start: '. ./h-manifest.conf; exec bash ./h-run.sh',
    stats: `. ./h-manifest.conf; . ./h-stats.sh; printf '%s' "$stats"`,
    read: ({ ver, ar, hs, hs_units: units, algo }) => ({
      version: ver,
      accepted: ar[0],
      isWhole: algo === 'xhash' && units === 'khs' && hs.length === 1 && hs[0] > 0,
    }),
  },
  mmpos: {
    folder: '/root/miners',
    prepare: 'true',
    start: 'exec bash ./headframe.sh -P "http://$NODE" --network practice --cpu',
    stats: 'bash ./mmp-stats.sh 1 /dev/null',
    read: ({ miner_version: version, air, hash, units, busid }) => ({
      version,
      accepted: Number(air[0]),
      isWhole: units === 'hs' && busid.join() === 'cpu' && hash.length === 1 && hash[0] > 0,
    }),
  },
}

/**
 * @param {import('./clean-root.mjs').CleanRoot} root without the libraries of a desktop
 * @param {{ hiveos: string, mmpos: string }} archives paths
 * @param {{ step: (name: string, work: () => unknown) => Promise<unknown> }} tools
 * @throws ToolError for the first thing that isn't as it should be
 */
export async function checkRigPackages(root, archives, { step }) {
  root.call([...INSTALL, 'jq', 'curl'], { environment: QUIET }) // which the two systems have
  for (const [system, { folder }] of Object.entries(SYSTEMS)) {
    const rig = new Rig(root, system)
    await step(`${system}: install, an older version`, () => {
      rig.unpack(archives[system])
      setVersion(join(root.folder, folder, 'headframe/program/package.json'))
    })
    await step(`${system}: mine, and give figures`, () => rig.mine(OLD_VERSION))
    await step(`${system}: upgrade`, async () => {
      rig.unpack(archives[system])
      await rig.mine(manifest('.').version)
    })
    await step(`${system}: remove`, () => rig.remove())
  }
}

class Rig {
  constructor(root, system) {
    Object.assign(this, SYSTEMS[system])
    this.root = root
    this.miner = `${this.folder}/headframe`
  }

  unpack(archive) {
    const { root, folder } = this
    mkdirSync(join(root.folder, folder), { recursive: true })
    cpSync(archive, join(root.folder, 'root', basename(archive)))
    root.call(['tar', '-xzf', `/root/${basename(archive)}`, '-C', folder])
  }

  /** For a node of the practice chain, until a share of it became a block and its figures say so. */
  async mine(version) {
    const { root, miner } = this
    const data = `${dirname(this.folder)}/node`
    const place = ['--practice', '--datadir', data, '--miner.coinbase', WALLET, '--http.port', '0']
    const words = [`${miner}/program/headframe`, 'node', ...place, '--api-bind', '127.0.0.1:0']
    const api = `127.0.0.1:${await freePort()}`
    await supervised(root, { user: 'root', words, readyFile: `${data}/ready.json` }, async ({ ready, until }) => {
      const head = async () => Number(await rpc(ready.http, 'eth_blockNumber'))
      const before = await head()
      const environment = { HOME: '/root', NODE: ready.http, HEADFRAME_API_BIND: api }
      this.#call(this.prepare, environment)
      const run = this.#start(environment)
      try {
        const isDone = () => {
          if (run.ended()) throw new ToolError(`it ended:\n${run.said()}`)
          const stats = this.#stats(environment)
          return stats?.isWhole === true && stats.accepted > 0 && stats.version === version
        }
        await until(`figures of version ${version} with an accepted share`, async () => isDone())
        await until('a block of it', async () => (await head()) > before)
      } finally {
        await run.stop()
      }
      if (this.#stats(environment) !== null) throw new ToolError('not so: a rig that ended gives no figures')
    })
  }

  remove() {
    const { root, miner, folder } = this
    root.call(['rm', '-r', miner, `${dirname(folder)}/node`])
    if (this.#processes() !== '') throw new ToolError(`not so: nothing of it runs any more:\n${this.#processes()}`)
  }

  #processes() {
    return spawnSync('pgrep', ['-fa', `${this.miner}/`], { encoding: 'utf8' }).stdout
  }

  #call(script, environment) {
    return this.root.call(['bash', '-c', `cd ${this.miner} && ${script}`], { environment })
  }

  /** What the script prints for the agent; null while the miner doesn't answer. */
  #stats(environment) {
    try {
      const text = this.#call(this.stats, environment)
      return text === '' || text === 'null' ? null : this.read(JSON.parse(text))
    } catch (error) {
      if (error instanceof ToolError) return null
      throw error
    }
  }

  /** In a session of its own, whose processes all get the signal that ends it, as the agents do it. */
  #start(environment) {
    const script = `cd ${this.miner} && ${this.start}`
    const child = this.root.start(['setsid', 'bash', '-c', script], { user: 'root', environment })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (said += part.toString('utf8')))
    const ended = () => child.exitCode !== null || child.signalCode !== null
    const stop = async () => {
      if (!ended()) process.kill(-child.pid, 'SIGTERM')
      for (let waited = 0; !ended() || this.#processes().includes(' miner '); waited += POLL_MS) {
        if (waited > HANG_MS) throw new ToolError(`it did not end:\n${said}`)
        await sleep(POLL_MS)
      }
    }
    return { ended, said: () => said, stop }
  }
}

function setVersion(file) {
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), version: OLD_VERSION }))
}
