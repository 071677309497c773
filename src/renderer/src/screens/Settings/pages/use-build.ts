// The program's build; null while unknown.
import { useCallback } from 'react'
import type { ResultOf } from '../../../../../base/wire/define'
import type { Contract } from '../../../../../contract/contract'
import { useAnswer } from '../../../state/answers/use-answer'
import { useEnvironment } from '../../../state/environment'

type Build = ResultOf<Contract, 'app.build'>

export function useBuild(): Build | null {
  const { backend } = useEnvironment()
  return useAnswer(useCallback(() => backend.call('app.build', {}), [backend])).value
}
