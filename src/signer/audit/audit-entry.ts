// Audit log entries. Never a password, a key or a seed: no entry has a member for one.
import type { Caller, Decider, RequestContent, RequestKind, RequestState, TransactionEdits } from '../model/request'

/** A content too long to be recorded before it is approved: its parties, its hash, and its beginning. */
export interface CutContent {
  readonly kind: RequestKind
  readonly caller: Caller
  readonly transaction: {
    readonly from: string
    readonly to: string | null
    readonly value: string
    readonly nonce: string
  } | null
  readonly data: { readonly address: string; readonly contentType: string; readonly hash: string } | null
  readonly severities: readonly string[]
  /** Characters of all of it as JSON, and the first ones of its parameters as received. */
  readonly cut: { readonly length: number; readonly beginning: string }
}

export type AuditEntry =
  | {
      readonly type: 'request'
      readonly id: string
      readonly kind: RequestKind
      readonly caller: Caller
      readonly contentHash: string
      readonly content: RequestContent | CutContent
    }
  | {
      readonly type: 'decision'
      readonly id: string
      readonly kind: RequestKind
      readonly contentHash: string
      readonly decision: 'approve' | 'reject'
      /** For an approval: who decided, and what was edited of the hashed content. */
      readonly by?: Decider
      readonly edits?: TransactionEdits
      /** Of an approved request whose own record has only its beginning. */
      readonly content?: RequestContent
      /** The transaction that the program on the standard streams substituted for the requested one. */
      readonly answered?: unknown
    }
  | {
      readonly type: 'result'
      readonly id: string
      readonly kind: RequestKind
      readonly state: RequestState
      readonly error: string
      readonly detail: Readonly<Record<string, string>>
    }
  /** Rejected without asking the user. */
  | { readonly type: 'refused'; readonly method: string; readonly caller: Caller; readonly error: string }
  /** A call of the external API or its answer, in the line form of clef. */
  | { readonly type: 'call'; readonly line: string }
  /**
   * A rule decided without the user. `question` is the UI API's method, `by` is the policy's name or the script's hash.
   */
  | {
      readonly type: 'ruling'
      readonly question: string
      readonly judgement: 'approve' | 'reject'
      readonly by: string
      readonly reason: string
    }
  /**
   * `created` by the program itself, without a request: the practice account of a first start, the command line.
   * `exported`: encrypted, after its password was verified. `backedUp`: a backup was read back and opened.
   */
  | {
      readonly type: 'created' | 'imported' | 'passwordChanged' | 'exported' | 'backedUp'
      readonly address: string
      readonly file: string
    }
  /** The key file was moved aside, to `keptIn` below the keystore. */
  | { readonly type: 'forgotten'; readonly address: string; readonly file: string; readonly keptIn: string }
  | {
      readonly type: 'deviceAccount'
      readonly what: 'added' | 'forgotten'
      /** `airgap`: an offline device. */
      readonly kind: 'ledger' | 'airgap'
      readonly address: string
      readonly path: string
    }
  /** An approved request goes to a device, which asks for its own confirmation; and its outcome. */
  | {
      readonly type: 'device'
      readonly kind: 'ledger' | 'airgap'
      readonly address: string
      readonly path: string
      readonly digest: string
      readonly state: 'asked' | 'signed' | 'failed'
      readonly error: string
    }
  /** An account stays unlocked for the life of the process, because it is configured so; and its end. */
  | { readonly type: 'unlocked' | 'locked'; readonly address: string }
  | {
      readonly type: 'approvedByConfiguration'
      readonly address: string
      readonly method: string
      readonly asker: string
      readonly summary: string
    }
  /** A change of what may be signed without asking: `attest`, `setpw`, `delpw`, `policies`, `chainId`. */
  | { readonly type: 'settings'; readonly what: string; readonly detail: Readonly<Record<string, string>> }
  /** Records were missing or replaced when this was written: the separately stored head differs. */
  | { readonly type: 'damaged'; readonly reason: string }
  /** A half-written end, left by a crash or a full disk, was moved to another file. `sha256` is that of its bytes. */
  | { readonly type: 'repaired'; readonly cutBytes: number; readonly keptIn: string; readonly sha256: string }
