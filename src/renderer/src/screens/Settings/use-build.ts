// Which build the program is; null while that is not known.
import { useCallback, useState } from 'react'
import type { ResultOf } from '../../../../base/wire/define'
import type { Contract } from '../../../../contract/contract'
import { useAsking, useEnvironment } from '../../state/environment'

export type Build = ResultOf<Contract, 'app.build'>

export function useBuild(): Build | null {
  const { backend } = useEnvironment()
  const [build, setBuild] = useState<Build | null>(null)
  const ask = useCallback((): undefined => {
    backend.call('app.build', {}).then(setBuild, () => undefined) // it stays unknown
  }, [backend])
  useAsking(ask)
  return build
}
