// Arguments for Node before the program's file: a start that reuses the code compiled at an earlier one.
import { resolve } from 'node:path'

const HOOK = resolve(import.meta.dirname, '..', 'tools', 'testing', 'compile-cache.cjs')

export const QUICK_START: readonly string[] = ['--require', HOOK]
