// The lab as a separate program: one run, its pictures as files, its figures as lines. Built and started by
// tools/lab.mjs.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LabOptions, type LabReport, runLab } from './lab'
import { svgPicture, textPicture } from './picture'

const MB = 1_000_000

/** @param results folder for the pictures @returns false if an honest node was banned */
export async function labProgram(
  options: Omit<LabOptions, 'folder' | 'tell'>,
  results: string,
  tell: (line: string) => void,
): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'headframe-lab-'))
  try {
    const report = await runLab({ ...options, folder, tell })
    mkdirSync(results, { recursive: true })
    writeFileSync(join(results, 'heads.svg'), svgPicture(report.picture))
    writeFileSync(join(results, 'heads.txt'), `${textPicture(report.picture)}\n`)
    for (const line of linesOf(report)) tell(line)
    tell(`heads over time: ${join(results, 'heads.svg')} and heads.txt`)
    return report.bans.length === 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function linesOf({ healedMs, endedMs, height, bans, memory }: LabReport): readonly string[] {
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
  const megabytes = (bytes: number): string => `${(bytes / MB).toFixed(0)} MB`
  return [
    `one head at block ${height}, ${seconds(endedMs)} after the last block was made`,
    `to one head after each heal: ${healedMs.map(seconds).join(', ') || 'no heal'}`,
    `honest nodes banned: ${bans.length === 0 ? 'none' : bans.join(', ')}`,
    `resident memory, second quarter and last: ${megabytes(memory.early)} and ${megabytes(memory.late)}`,
  ]
}
