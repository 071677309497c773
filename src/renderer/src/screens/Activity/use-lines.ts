// Filtered lines while they are on the screen: renders again whenever the selection changes.
import { useEffect, useState } from 'react'
import { useEnvironment } from '../../state/environment'
import { openFilterThread } from '../../state/log/filter-port'
import { type Line, type LogFilter, LogLines } from '../../state/log/log-lines'

export function useLines<L extends Line>(limit: number, filter: LogFilter): LogLines<L> {
  const { clock } = useEnvironment()
  const [, setVersion] = useState(0)
  const [lines] = useState(
    () =>
      new LogLines<L>(limit, {
        clock,
        openThread: openFilterThread,
        onChange: () => setVersion((version) => version + 1),
      }),
  )
  const { modules, least, from, text, isPattern } = filter
  const names = modules.join()
  useEffect(() => {
    lines.setFilter({ modules: names === '' ? [] : names.split(','), least, from, text, isPattern })
  }, [lines, names, least, from, text, isPattern])
  useEffect(() => () => lines.close(), [lines])
  return lines
}
