// The machines of one rig for as long as its page is open, fed with what the rig says.
import { useEffect, useState } from 'react'
import { useEnvironment } from '../../state/environment'
import { selectRig } from '../../state/fleet-store'
import { createRigControls, type RigControls } from './rig-controls'

export function useRigControls(name: string): RigControls {
  const { backend, clock, stores } = useEnvironment()
  const [controls] = useState(() => createRigControls(name, { backend, clock }))
  useEffect(() => {
    const look = (): void => {
      const rig = selectRig(name)(stores.fleet.getState())
      if (rig !== undefined) controls.observe(rig)
    }
    const stop = stores.fleet.subscribe(look)
    return () => {
      stop()
      controls.dispose()
    }
  }, [controls, stores, name])
  return controls
}
