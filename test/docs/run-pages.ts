// Runs the commands that the documentation tells readers to type, page by page. Built and started by
// tools/testing/test-docs.mjs.
import { type Block, commandsOf, type Page } from './page'
import { allPages } from './pages'
import { type Done, Sandbox } from './sandbox'

export interface Counts {
  readonly run: number
  readonly served: number
  /** Only parsed: they need what isn't here. */
  readonly read: number
  readonly failed: number
}

const SHOWN = 2_000

/** @param only pages with this in their path; empty for all @returns the outcome of the commands */
export async function runPages(root: string, only: string, tell: (line: string) => void): Promise<Counts> {
  let sum: Counts = { run: 0, served: 0, read: 0, failed: 0 }
  for (const page of allPages(root).filter(({ path }) => path.includes(only))) {
    if (page.blocks.every(({ mark }) => mark === null)) continue
    tell(page.path)
    const counts = await runPage(root, page, tell)
    sum = {
      run: sum.run + counts.run,
      served: sum.served + counts.served,
      read: sum.read + counts.read,
      failed: sum.failed + counts.failed,
    }
  }
  tell(`${sum.run} commands run, ${sum.served} programs started and ended, ${sum.read} only read, ${sum.failed} failed`)
  return sum
}

async function runPage(root: string, page: Page, tell: (line: string) => void): Promise<Counts> {
  const sandbox = new Sandbox(root)
  const counts = { run: 0, served: 0, read: 0, failed: 0 }
  const note = (command: string, done: Done | null, from: number): void => {
    const isGood = done === null || done.code === 0
    const seconds = ((performance.now() - from) / 1000).toFixed(1).padStart(6)
    tell(`  ${isGood ? 'ok    ' : 'FAILED'} ${seconds} s  ${command}`)
    if (isGood) return
    counts.failed += 1
    tell(`    ended with ${done.code}: ${done.output.slice(-SHOWN).trim()}`)
  }
  try {
    for (const block of page.blocks) {
      for (const command of linesOf(block)) {
        const from = performance.now()
        if (block.mark === 'run') {
          note(command, await sandbox.run(command), from)
          counts.run += 1
        } else if (block.mark === 'serve') {
          const start = block.isHidden ? sandbox.keep(command) : sandbox.serve(command)
          note(command, await start, from)
          counts.served += 1
        } else if (block.mark !== null) {
          tell(`  read            ${command}  (${block.reason})`)
          counts.read += 1
        }
      }
    }
  } finally {
    await sandbox.close()
  }
  return counts
}

/** A block with a multi-line text in it (a here-document, quoted JSON) is one command. */
function linesOf(block: Block): readonly string[] {
  if (block.mark !== 'run') return commandsOf(block)
  return /<<|'[^'\n]*\n[^']*'/.test(block.text) ? [block.text.trim()] : commandsOf(block)
}
