import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/longest-first'
import { PATIENCE_MS } from './test/patience'
import { Progress } from './test/progress'
import { QUICK_START } from './test/quick-start'

/** The stack of a worker thread, where the node runs programs: 1,024 calls within each other do not fit the main thread's. */
const STACK = ['--stack-size=3900']
/** On two cores, vitest uses one worker by default. */
const WORKERS = 2
/** Files that wait for programs, blocks and pools about a third of their time: two at once left a third of two cores idle. */
const WAITING_WORKERS = 3
/** Ends a case that hangs: the longest takes 85 s beside two busy loops. What fails by it is run once more, alone. */
const HANG_MS = 2.5 * PATIENCE_MS
/** Polling assertions: by default vitest gives up after a second. */
const POLL = { poll: { timeout: PATIENCE_MS } }
/** Characters of a value in a failure's message: vitest's 40 hide which of a list's faults it was. */
const MESSAGE = { truncateThreshold: 1000 }
/** Ledger's modules import each other without file endings: bundlers understand that, and Node does not. */
const BUNDLED = { deps: { inline: [/@ledgerhq/] } }
/**
 * Files that share a process save its start and their imports: two thirds of the time of unit and web, about a second of CPU time per
 * file of suite. This one fails those that leave something behind.
 */
const GUARD = 'test/left-behind.ts'
const COST = 'test/processor-time.ts'
/** Transforming the modules is a third of the time of unit, web and suite: what didn't change is kept between runs. */
const KEPT = { fsModuleCache: true, fsModuleCachePath: '.cache/vitest' }

const { TEST_PROGRESS, TEST_WITHOUT = '' } = process.env
/** Files beside the code that the quick tier leaves to the full one. */
const DEAR = TEST_WITHOUT.split(',').filter((file) => file !== '')

export default defineConfig({
  test: {
    reporters: ['default', ...(TEST_PROGRESS === undefined ? [] : [new Progress(TEST_PROGRESS)])],
    sequence: { sequencer: LongestFirst },
    experimental: KEPT,
    projects: [
      {
        test: {
          name: 'unit',
          server: BUNDLED,
          include: ['src/**/*.test.ts'],
          exclude: ['src/renderer/**', ...DEAR],
          environment: 'node',
          setupFiles: [COST, GUARD],
          isolate: false,
          maxWorkers: WORKERS,
          execArgv: STACK,
          testTimeout: HANG_MS,
          hookTimeout: HANG_MS,
          expect: POLL,
          chaiConfig: MESSAGE,
        },
      },
      {
        plugins: [react()],
        test: {
          name: 'web',
          include: ['src/renderer/**/*.test.{ts,tsx}'],
          exclude: DEAR,
          environment: 'jsdom',
          setupFiles: [COST, GUARD, 'src/renderer/src/testing/setup.ts'],
          provide: { patienceMs: PATIENCE_MS },
          isolate: false,
          maxWorkers: WORKERS,
          testTimeout: HANG_MS,
          hookTimeout: HANG_MS,
          expect: POLL,
          chaiConfig: MESSAGE,
        },
      },
      {
        test: {
          name: 'suite',
          server: BUNDLED,
          include: ['test/**/*.test.ts'],
          environment: 'node',
          setupFiles: [COST, GUARD],
          isolate: false,
          maxWorkers: WAITING_WORKERS,
          execArgv: [...STACK, ...QUICK_START],
          testTimeout: HANG_MS,
          hookTimeout: HANG_MS,
          expect: POLL,
          chaiConfig: MESSAGE,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          environment: 'node',
          setupFiles: [COST, 'e2e/stood-still.ts'],
          isolate: false,
          testTimeout: HANG_MS,
          hookTimeout: HANG_MS,
          expect: POLL,
          chaiConfig: MESSAGE,
          maxWorkers: WORKERS,
        },
      },
    ],
  },
})
