// Warns that a change of the rig list lasts only until the program stops.
import { TriangleAlert } from 'lucide-react'
import { Note } from '../../components/layout/Note'
import { ForeignText } from '../../components/values/HexText'
import { useText } from '../../i18n/text'
import { useOperation } from '../../state/environment'

export function NotKept() {
  const t = useText()
  const reason = useOperation((state) => state.rigs?.notKept ?? '')
  if (reason === '') return null
  return (
    <Note tone="warn" icon={TriangleAlert} testId="rigs-not-kept" role="status">
      <ForeignText text={t('ui.rigs.notKept', { reason })} />
    </Note>
  )
}
