// Contains a render failure in the part that failed: everything around it stays usable.
import { Component, createContext, type ReactNode } from 'react'
import { forgetFailedParts } from '../lazy-part'

export interface Fault {
  readonly error: Error
  readonly retry: () => void
}

interface BoundaryProps {
  readonly children: ReactNode
  readonly fallback: (fault: Fault) => ReactNode
  /** The failure is cleared when this changes: another screen isn't to blame. */
  readonly resetKey?: string
  /** Also catches inside content that must be shown in full or not at all. */
  readonly isOutermost?: boolean
}

/** True inside content that is shown in full or not at all: what is missing from an approval may be what matters. */
export const IsWholeContext = createContext(false)

interface BoundaryState {
  readonly error: Error | null
  readonly resetKey: string | undefined
}

export class Boundary extends Component<BoundaryProps, BoundaryState> {
  static override contextType = IsWholeContext
  declare context: boolean
  override state: BoundaryState = { error: null, resetKey: this.props.resetKey }

  static getDerivedStateFromError(thrown: unknown): Partial<BoundaryState> {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) }
  }

  static getDerivedStateFromProps({ resetKey }: BoundaryProps, state: BoundaryState): Partial<BoundaryState> | null {
    return resetKey === state.resetKey ? null : { error: null, resetKey }
  }

  readonly #retry = (): void => {
    forgetFailedParts()
    this.setState({ error: null })
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === null) return this.props.children
    if (this.context && this.props.isOutermost !== true) throw error
    return this.props.fallback({ error, retry: this.#retry })
  }
}
