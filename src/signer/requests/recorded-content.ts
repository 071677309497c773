// What the audit log keeps of a request's content: all of it once it is approved. Before that a long one is cut, so that
// strangers can't fill the disk with what is denied; the content hash covers all of it.
import type { CutContent } from '../audit/audit-entry'
import type { RequestContent } from '../model/request'

/** Characters, as JSON: an ordinary request is shorter. */
const WHOLE = 4_096
/** Characters of a longer one that are recorded: of its parameters as received, and of its findings. */
const BEGINNING = 1_024

/** @param length of the content as JSON */
export function isCut(length: number): boolean {
  return length > WHOLE
}

/** For the record of a request that nobody has decided. @param length of the content as JSON */
export function recordedContent(content: RequestContent, length: number): RequestContent | CutContent {
  if (!isCut(length)) return content
  const { kind, caller, transaction, data, findings } = content
  const beginning = (transaction?.raw ?? data?.raw ?? '').slice(0, BEGINNING)
  return {
    kind,
    caller,
    transaction: transaction === null ? null : { ...partiesOf(transaction), nonce: transaction.nonce },
    data: data === null ? null : { address: data.address, contentType: data.contentType, hash: data.hash },
    severities: findings.slice(0, 64).map(({ severity }) => severity),
    cut: { length, beginning },
  }
}

function partiesOf({ from, to, value }: NonNullable<RequestContent['transaction']>) {
  return { from, to, value }
}

/** The content without the state of the request. */
export function contentOf(request: RequestContent): RequestContent {
  const { kind, caller, transaction, data, accounts, findings, notUnderstood, device } = request
  return {
    kind,
    caller,
    transaction,
    data,
    accounts,
    findings,
    ...(notUnderstood === undefined ? {} : { notUnderstood }),
    ...(device === undefined ? {} : { device }),
  }
}
