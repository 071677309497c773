// How far work on a database is, and how it is told to stop.

/** What a piece of work is at. */
export interface StageProgress {
  readonly stage: 'files' | 'blocks' | 'state' | 'entries' | 'compaction' | 'indexes' | 'copy' | 'execution'
  /** 0..1 of this stage. */
  readonly fraction: number
  /** Height that it is at, and blocks done; null and 0 where it isn't about blocks. */
  readonly block: number | null
  readonly blocks: number
}

export interface StageOptions {
  readonly onProgress: (progress: StageProgress) => void
  readonly signal: AbortSignal
}

/** Passes progress on as that of `name`. */
export function stage(name: StageProgress['stage'], onProgress: StageOptions['onProgress']) {
  return (progress: Omit<StageProgress, 'stage'>): void => onProgress({ stage: name, ...progress })
}
