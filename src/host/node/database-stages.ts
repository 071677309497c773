// Progress of database work, and how it is stopped.

export interface StageProgress {
  readonly stage: 'files' | 'blocks' | 'state' | 'entries' | 'compaction' | 'indexes' | 'copy' | 'execution'
  /** 0..1 of this stage. */
  readonly fraction: number
  /** Current height, and blocks done; null and 0 when not counted in blocks. */
  readonly block: number | null
  readonly blocks: number
}

export interface StageOptions {
  readonly onProgress: (progress: StageProgress) => void
  readonly signal: AbortSignal
}

/** Reports progress under `name`. */
export function stage(name: StageProgress['stage'], onProgress: StageOptions['onProgress']) {
  return (progress: Omit<StageProgress, 'stage'>): void => onProgress({ stage: name, ...progress })
}
