// What happens to the test files of a run, a line each, as it happens: tools/testing/stillness.mjs sees by it which file stands
// still, and what the others gave, though the run was ended. TEST_PROGRESS names the file.
import { appendFileSync } from 'node:fs'
import type { Reporter, TestCase, TestModule, TestSpecification, Vitest } from 'vitest/node'

const STATUS = { passed: 'passed', failed: 'failed', skipped: 'pending', pending: 'pending' }

export class Progress implements Reporter {
  readonly #file: string
  readonly #startedAt = new Map<string, number>()
  #limitMs = 0

  constructor(file: string) {
    this.#file = file
  }

  onInit({ projects }: Vitest): void {
    this.#limitMs = Math.max(...projects.map(({ config }) => Math.max(config.testTimeout, config.hookTimeout)))
  }

  onTestRunStart(files: readonly TestSpecification[]): void {
    this.#tell({ files: files.map(({ moduleId }) => moduleId), limitMs: this.#limitMs })
  }

  onTestModuleQueued({ moduleId }: TestModule): void {
    this.#startedAt.set(moduleId, Date.now())
    this.#tell({ file: moduleId, at: 'its imports', limitMs: this.#limitMs })
  }

  onTestModuleStart({ moduleId }: TestModule): void {
    this.#tell({ file: moduleId, at: 'what comes before its cases', limitMs: this.#limitMs })
  }

  onTestCaseReady(test: TestCase): void {
    const limitMs = Math.max(this.#limitMs, test.options.timeout ?? 0)
    this.#tell({ file: test.module.moduleId, at: `"${test.fullName}"`, limitMs })
  }

  onTestCaseResult(test: TestCase): void {
    this.#tell({ file: test.module.moduleId, at: `what follows "${test.fullName}"`, limitMs: this.#limitMs })
  }

  onTestModuleEnd(module: TestModule): void {
    const { moduleId: name } = module
    const cases = [...module.children.allTests()].map((test) => {
      const { state, errors = [] } = test.result()
      const failureMessages = errors.map(({ stack = '', message }) => (stack.includes(message) ? stack : message))
      return { fullName: test.fullName, status: STATUS[state], failureMessages }
    })
    const status = module.state() === 'failed' ? 'failed' : 'passed'
    const endTime = Date.now()
    const startTime = this.#startedAt.get(name) ?? endTime
    const message = module.errors()[0]?.message ?? ''
    this.#tell({ file: name, result: { name, status, message, startTime, endTime, assertionResults: cases } })
  }

  /** In the file when this returns, whatever happens to this process. */
  #tell(line: object): void {
    appendFileSync(this.#file, `${JSON.stringify(line)}\n`)
  }
}
