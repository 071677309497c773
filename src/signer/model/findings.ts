// Findings of the checks about a request: shown to the user, or a reason to reject in strict mode.

export type Severity = 'CRITICAL' | 'WARNING' | 'Info'

export interface Finding {
  readonly severity: Severity
  readonly message: string
}

/** Something that mostly takes money or keys. */
export function critical(message: string): Finding {
  return { severity: 'CRITICAL', message }
}

/** Something to look at before approving. */
export function warning(message: string): Finding {
  return { severity: 'WARNING', message }
}

/** Something to know. */
export function info(message: string): Finding {
  return { severity: 'Info', message }
}

const RANK: Readonly<Record<Severity, number>> = { CRITICAL: 0, WARNING: 1, Info: 2 }

/** CRITICAL first, then WARNING, then Info; in rule order within a severity. */
export function bySeverity(findings: readonly Finding[]): readonly Finding[] {
  return [...findings].sort((a, b) => RANK[a.severity] - RANK[b.severity])
}

/** Texts that make strict mode reject, in rule order. */
export function refusals(findings: readonly Finding[]): readonly string[] {
  return findings.filter((finding) => finding.severity !== 'Info').map((finding) => finding.message)
}

export function isCritical(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity === 'CRITICAL')
}
