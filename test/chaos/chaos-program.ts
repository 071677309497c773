// A chaos run as a program of its own: what happens as lines, its figures as a table. Built and started by tools/testing/chaos.mjs.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ChaosOptions, runChaos } from './chaos'
import { reportLines } from './figures'

/** @returns false when something was lost, doubled or damaged; its folder is kept then */
export async function chaosProgram(options: Omit<ChaosOptions, 'folder'>): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'headframe-chaos-'))
  const report = await runChaos({ ...options, folder })
  for (const line of reportLines(report)) options.tell(line)
  rmSync(folder, { recursive: true, force: true })
  return report.faults.length === 0
}
