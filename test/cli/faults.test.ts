// Faults in the real program: what it survives, and what stops it cleanly.
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { ask } from '../json-rpc'
import { environmentWith, FAULT, type Faults } from './faulty-program'
import { call, IS_BUILT, NO_MINING, Program, temporaryFolder } from './program'

const VECTORS = join(import.meta.dirname, '..', 'vectors', 'chain', 'chain-small')

const folder = temporaryFolder()
afterAll(folder.remove)
const made = { count: 0, programs: [] as Program[] }
afterEach(async () => {
  for (const program of made.programs.splice(0)) await program.stop('SIGKILL')
})

class FaultyProgram {
  readonly datadir: string
  readonly readyFile: string
  readonly program: Program

  constructor(faults: Faults, args?: readonly string[]) {
    const own = temporaryFolderIn(folder.path)
    this.datadir = join(own, 'data')
    this.readyFile = join(own, 'ready.json')
    const run = ['run', '--headless', '--ready-file', this.readyFile, ...NO_MINING]
    const environment = environmentWith(faults, own)
    this.program = new Program([...(args ?? run), '--datadir', this.datadir], { environment })
    made.programs.push(this.program)
  }

  log(): string {
    return readFileSync(join(this.datadir, 'logs', 'headframe.log'), 'utf8')
  }

  left(): readonly string[] {
    return [this.readyFile, join(this.datadir, 'headframe.lock')].filter((file) => existsSync(file))
  }

  async ask(method: string, params: readonly unknown[]): Promise<unknown> {
    const { http } = await this.program.ready(this.readyFile)
    return ask(`http://${http}`, method, params)
  }
}

function temporaryFolderIn(parent: string): string {
  const path = join(parent, String(made.count++))
  mkdirSync(path)
  return path
}

describe.skipIf(!IS_BUILT)('a program with a fault', () => {
  it("logs a listener's error with its event, and continues", async () => {
    const faulty = new FaultyProgram({ throwingListenerOf: 'stateChanged' })

    expect(await faulty.ask('eth_chainId', [])).toHaveProperty('result')

    expect(faulty.log()).toMatch(new RegExp(`event listener failed event=stateChanged error="${FAULT}" stack=`))
    expect(await faulty.program.stop()).toMatchObject({ code: 0 })
  })

  it.each(['throw', 'reject'] as const)('shuts down with 1 after an uncaught %s', async (atSignal) => {
    const faulty = new FaultyProgram({ atSignal })
    await faulty.program.ready(faulty.readyFile)
    expect(faulty.left()).toHaveLength(2)

    const { code, stderr } = await faulty.program.stop('SIGUSR2')

    expect(code).toBe(1)
    expect(stderr).toContain(`headframe: ${FAULT}`)
    expect(faulty.log()).toMatch(new RegExp(`unexpected failure, shutting down error="${FAULT}" stack=`))
    expect(readFileSync(join(faulty.datadir, 'logs', 'crashes.log'), 'utf8')).toContain(FAULT)
    expect(faulty.left()).toEqual([])
  })

  it.each(['throw', 'reject'] as const)(
    'logs an uncaught %s in its chain worker, and restarts the worker',
    async (does) => {
      const faulty = new FaultyProgram({ worker: { entry: 'chain-worker.cjs', call: 'chain.gasPrice', does } })
      await faulty.program.ready(faulty.readyFile)

      // The node goes down with its worker, and so does the connection of the caller.
      await faulty.ask('eth_gasPrice', []).catch(() => null)
      await faulty.program.says('restarting service after its worker was lost')

      expect(faulty.log()).toContain(`unexpected failure, this worker exits error="${FAULT}"`)
      expect(readFileSync(join(faulty.datadir, 'logs', 'crashes.log'), 'utf8')).toContain('this worker exits')
      expect(await faulty.program.stop()).toMatchObject({ code: 0 })
    },
  )

  it.each([
    { name: 'chain', call: 'chain.gasPrice', method: 'eth_gasPrice', params: [] },
    // The latest state would be read on the host thread.
    { name: 'query', call: 'query.ask', method: 'eth_getBalance', params: [`0x${'00'.repeat(20)}`, 'earliest'] },
  ])(
    'is ended by SIGTERM while its $name worker computes endlessly',
    async ({ name, call: looping, method, params }) => {
      const faulty = new FaultyProgram({ worker: { entry: `${name}-worker.cjs`, call: looping, does: 'loop' } })
      await faulty.program.ready(faulty.readyFile)
      const asked = faulty.ask(method, params).catch(() => null)
      await faulty.program.says(FAULT)

      expect(await faulty.program.stop()).toMatchObject({ code: 0 })

      await asked
      expect(faulty.left()).toEqual([])
    },
  )

  it('is ended by SIGTERM while its key worker computes endlessly', async () => {
    const faulty = new FaultyProgram({ worker: { entry: 'key-worker.cjs', call: 'create', does: 'loop' } })
    await faulty.program.says(FAULT)

    expect(await faulty.program.stop()).toMatchObject({ code: 0 })

    expect(faulty.left()).toEqual([])
  })
})

describe.skipIf(!IS_BUILT)('an import whose block executes endlessly', () => {
  it('is ended by SIGTERM, and continues from there next time', async () => {
    const genesis = ['--genesis', join(VECTORS, 'genesis.json'), '--xhash.mode', 'test']
    const args = ['import', join(VECTORS, 'blocks.rlp'), ...genesis]
    const faulty = new FaultyProgram(
      { worker: { entry: 'chain-worker.cjs', call: 'chain.import', does: 'loop' } },
      args,
    )
    await faulty.program.says(FAULT)

    expect(await faulty.program.stop()).toMatchObject({ code: 1 })

    expect(faulty.left()).toEqual([])
    const again = await call([...args, '--datadir', faulty.datadir])
    expect(again).toMatchObject({ code: 0 })
    expect(again.stdout).toMatch(/imported 130 blocks/)
  })
})
