// Parts that load when first shown, or while the page is idle, with the texts that the first screen doesn't need.
import { type ComponentType, createElement, lazy, useState } from 'react'
import { loadEnglish } from '../i18n/english'

/** The file of a part could not be fetched: the program is stopped, or was replaced by another version. */
export class PartUnavailableError extends Error {
  override readonly name = 'PartUnavailableError'

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

interface Loadable {
  /** Resolves when the part is loaded. @throws PartUnavailableError */
  load(): Promise<unknown>
  /** The next use tries a failed load again. */
  forgetFailure(): void
}

const parts: Loadable[] = []

/** A component that is fetched on first use. Until then it suspends; a failed fetch is thrown to the boundary above. */
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const fetchPart = async (): Promise<ComponentType<P>> => {
    try {
      const [part] = await Promise.all([load(), loadEnglish()])
      state.loaded = part
      return part
    } catch (error: unknown) {
      state.hasFailed = true
      throw new PartUnavailableError(error)
    }
  }
  const begin = () => {
    const fetched: { part: Promise<ComponentType<P>> | null } = { part: null }
    const once = (): Promise<ComponentType<P>> => {
      fetched.part ??= fetchPart()
      return fetched.part
    }
    return { once, component: lazy(async () => ({ default: await once() })) }
  }
  const state: { loaded: ComponentType<P> | null; hasFailed: boolean; now: ReturnType<typeof begin> } = {
    loaded: null,
    hasFailed: false,
    now: begin(),
  }
  parts.push({
    load: () => state.now.once(),
    forgetFailure: () => {
      if (state.hasFailed) Object.assign(state, { hasFailed: false, now: begin() })
    },
  })
  // biome-ignore lint/correctness/noComponentHookFactories: callers make each one once, beside their imports
  return function LazyPart(props: P) {
    // A loaded component is rendered immediately, and stays the same component while it is shown.
    const [part] = useState({ component: state.loaded ?? state.now.component })
    return createElement(part.component as ComponentType<P>, props)
  }
}

/** Allows every part whose fetch failed to be fetched again. */
export function forgetFailedParts(): void {
  for (const part of parts) part.forgetFailure()
}

/** One by one, so that screens open while the program is away. @param idle calls back when nothing else is due */
export async function loadAhead(idle: () => Promise<void>): Promise<void> {
  for (const part of parts) {
    await idle()
    try {
      await part.load()
    } catch {
      part.forgetFailure() // its first use, or the next contact, tries again
    }
  }
}
