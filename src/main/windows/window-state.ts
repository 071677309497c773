// Position, size and zoom of the dashboard window, kept across restarts. A broken file only means the default size.
import { readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { messageOf } from '../../base/errors'
import type { Logger } from '../../base/logger'

const stateSchema = z.object({
  /** Null = positioned by the system. */
  place: z.object({ x: z.number().int(), y: z.number().int() }).nullable(),
  width: z.number().int().min(480).max(16_384),
  height: z.number().int().min(400).max(16_384),
  maximized: z.boolean(),
  /** Of the page; 1 = default. */
  zoom: z.number().min(0.5).max(2).default(1),
  /** The user has been told that closing leaves the program in the tray. */
  trayExplained: z.boolean().default(false),
})

export type WindowState = z.infer<typeof stateSchema>

export const DEFAULT_WINDOW_STATE: WindowState = {
  place: null,
  width: 1280,
  height: 820,
  maximized: false,
  zoom: 1,
  trayExplained: false,
}

/** The stored state, or the default one. */
export function readWindowState(file: string): WindowState {
  try {
    const parsed = stateSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')))
    return parsed.success ? parsed.data : DEFAULT_WINDOW_STATE
  } catch {
    return DEFAULT_WINDOW_STATE // first start, or not JSON
  }
}

/** Stores it; failing to is only logged. */
export function writeWindowState(file: string, state: WindowState, log: Logger): void {
  try {
    writeFileSync(file, `${JSON.stringify(state)}\n`, { mode: 0o600 })
  } catch (error) {
    log.warn('window state was not stored', { error: messageOf(error) })
  }
}
