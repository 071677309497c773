// Words for Node in front of the program's file: a start without compiling what was compiled at an earlier one.
import { resolve } from 'node:path'

const HOOK = resolve(import.meta.dirname, '..', 'tools', 'testing', 'compile-cache.cjs')

export const QUICK_START: readonly string[] = ['--require', HOOK]
