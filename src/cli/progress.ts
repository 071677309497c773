// Progress of a long command: a redrawn bar on a terminal, else a line every few seconds.
import { type Clock, durationText, SECOND_MS } from '../base/time'
import type { Terminal } from './call'

interface ProgressState {
  /** 0..1 of the whole */
  readonly fraction: number
  /** Height reached; null when not counted in blocks. */
  readonly block: number | null
  /** done by this call */
  readonly blocks: number
  /** used by those blocks; null when nothing is executed */
  readonly gas: bigint | null
}

interface ProgressOptions {
  /** `import`, `export`: prefix of each line. */
  readonly name: string
  readonly json: boolean
  /** Null = plain lines. */
  readonly terminal: Terminal | null
  readonly line: (text: string) => void
  readonly clock: Clock
}

const LINE_MS = 5_000
const DRAW_MS = 200
/** Speeds cover the last half minute: blocks skipped at the start aren't representative. */
const WINDOW_MS = 30_000
const BAR_CELLS = 24

interface Sample extends ProgressState {
  readonly atMs: number
}

interface Speed {
  readonly blocks: number
  readonly megagas: number | null
  /** Null while unknown. */
  readonly secondsLeft: number | null
}

export class Progress {
  readonly #samples: Sample[]
  #shownAt: number
  #isDrawn = false

  constructor(private readonly options: ProgressOptions) {
    this.#shownAt = options.clock.monotonic()
    this.#samples = [{ atMs: this.#shownAt, fraction: 0, block: 0, blocks: 0, gas: null }]
  }

  update(state: ProgressState): void {
    const { clock, terminal, json } = this.options
    const atMs = clock.monotonic()
    this.#samples.push({ ...state, atMs })
    while (this.#samples.length > 2 && atMs - (this.#samples[1]?.atMs ?? atMs) > WINDOW_MS) this.#samples.shift()
    const isDrawn = terminal !== null && !json
    if (atMs - this.#shownAt < (isDrawn ? DRAW_MS : LINE_MS)) return
    this.#shownAt = atMs
    if (isDrawn) this.#draw(terminal, state)
    else this.#write(state)
  }

  /** Leaves the terminal on a new line. */
  end(): void {
    if (this.#isDrawn) this.options.terminal?.write('\n')
    this.#isDrawn = false
  }

  #draw(terminal: Terminal, state: ProgressState): void {
    const full = Math.round(Math.min(1, state.fraction) * BAR_CELLS)
    const bar = `[${'#'.repeat(full)}${'-'.repeat(BAR_CELLS - full)}]`
    // One column stays free: a full line would wrap.
    const width = Math.max(20, terminal.columns() - 1)
    const text = `${this.options.name} ${bar} ${this.#figures(state).join('  ')}`.slice(0, width)
    terminal.write(`\r${text.padEnd(width)}`)
    this.#isDrawn = true
  }

  #write(state: ProgressState): void {
    const { json, line, name } = this.options
    if (!json) {
      line(`${name}: ${this.#figures(state).join(', ')}`)
      return
    }
    const { blocks, megagas, secondsLeft } = this.#speed()
    const fields = {
      block: state.block,
      percent: Math.floor(state.fraction * 100),
      blocksPerSecond: Math.round(blocks),
      megagasPerSecond: megagas === null ? null : Number(megagas.toFixed(2)),
      secondsLeft: secondsLeft === null ? null : Math.round(secondsLeft),
    }
    line(JSON.stringify({ level: 'info', module: 'cli', message: `${name} continues`, fields }))
  }

  #figures(state: ProgressState): string[] {
    const { blocks, megagas, secondsLeft } = this.#speed()
    return [
      `${Math.floor(state.fraction * 100)}%`,
      ...(state.block === null ? [] : [`block ${state.block}`, `${Math.round(blocks)} blocks/s`]),
      ...(megagas === null ? [] : [`${megagas.toFixed(1)} Mgas/s`]),
      ...(secondsLeft === null ? [] : [`ETA ${durationText(secondsLeft * SECOND_MS)}`]),
    ]
  }

  #speed(): Speed {
    const first = this.#samples[0]
    const last = this.#samples[this.#samples.length - 1]
    const seconds = first === undefined || last === undefined ? 0 : (last.atMs - first.atMs) / 1_000
    if (first === undefined || last === undefined || seconds <= 0)
      return { blocks: 0, megagas: null, secondsLeft: null }
    const part = last.fraction - first.fraction
    return {
      blocks: (last.blocks - first.blocks) / seconds,
      megagas: last.gas === null ? null : Number(last.gas - (first.gas ?? 0n)) / 1e6 / seconds,
      secondsLeft: part <= 0 ? null : ((1 - last.fraction) / part) * seconds,
    }
  }
}
