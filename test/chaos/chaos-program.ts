// A chaos run as a separate program: events as lines, figures as a table. Built and started by tools/testing/chaos.mjs.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ChaosOptions, runChaos } from './chaos'
import { reportLines } from './figures'
import { unnoticed } from './sabotage'

/**
 * @returns false if something was lost, duplicated or damaged; its folder is kept then. In a sabotaged run: if that
 * wasn't noticed
 */
export async function chaosProgram(options: Omit<ChaosOptions, 'folder'>): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'headframe-chaos-'))
  const report = await runChaos({ ...options, folder })
  for (const line of reportLines(report)) options.tell(line)
  if (options.kind === 'sabotage') {
    const missed = unnoticed(report.faults)
    for (const what of missed) options.tell(`NOT NOTICED: ${what}`)
    if (missed.length > 0) return false
    options.tell('everything that was sabotaged was noticed')
  }
  rmSync(folder, { recursive: true, force: true })
  return options.kind === 'sabotage' || report.faults.length === 0
}
