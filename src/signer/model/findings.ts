// What the checks say about a request: shown to the user, or a reason to refuse in strict mode.

export type Severity = 'CRITICAL' | 'WARNING' | 'Info'

export interface Finding {
  readonly severity: Severity
  readonly message: string
}

const RANK: Readonly<Record<Severity, number>> = { CRITICAL: 0, WARNING: 1, Info: 2 }

/** CRITICAL first, then WARNING, then Info; within one severity the order of the rules. */
export function bySeverity(findings: readonly Finding[]): readonly Finding[] {
  return [...findings].sort((a, b) => RANK[a.severity] - RANK[b.severity])
}

/** Texts that make strict mode refuse, in the order of the rules. */
export function refusals(findings: readonly Finding[]): readonly string[] {
  return findings.filter((finding) => finding.severity !== 'Info').map((finding) => finding.message)
}

export function isCritical(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity === 'CRITICAL')
}
