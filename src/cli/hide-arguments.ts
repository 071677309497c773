// Removes secrets on the command line from the process list. Before that, and on systems that keep the original text,
// others may have read them: hence the warning.
import type { ResolvedConfig } from '../config/resolved-config'
import { typedSecrets } from '../config/rules/typed-secrets'

/** Replaces the process arguments by the program's name and command when one of them is a secret. */
export function hideTypedSecrets(config: ResolvedConfig): void {
  const isHidden = typedSecrets({ sources: config.sources, values: config }).length > 0
  if (isHidden) process.title = `headframe ${config.command}`
}
