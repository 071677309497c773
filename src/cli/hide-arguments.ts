// Secrets on the command line, out of the process list again. Before this, and on systems that keep the first text, others may
// have read them: that is what the warning says.
import type { ResolvedConfig } from '../config/resolved-config'
import { typedSecrets } from '../config/rules/typed-secrets'

/** Puts the program's name and command in place of its arguments where one of them is a secret. */
export function hideTypedSecrets(config: ResolvedConfig): void {
  const isHidden = typedSecrets({ sources: config.sources, values: config }).length > 0
  if (isHidden) process.title = `headframe ${config.command}`
}
