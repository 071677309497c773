// Do the hashes arrive, are they paid, and who finds the blocks? Each panel says what it is based on and what it can't
// know.
import { useNode } from '../../state/environment'
import { Calculator } from './income/Calculator'
import { Dominance } from './income/Dominance'
import { Payouts } from './income/Payouts'
import { TipCheck } from './income/TipCheck'
import { useLastBlocks } from './income/use-last-blocks'
import styles from './Pools.module.css'

export function PoolPanels() {
  const hasNode = useNode((state) => state.head !== null && state.head.head !== null)
  return (
    <div className={styles.panels}>
      <TipCheck />
      {hasNode ? <ChainPanels /> : <Payouts last={NO_BLOCKS} />}
      <Calculator />
    </div>
  )
}

const NO_BLOCKS = { blocks: null, error: '', ask: () => undefined }

function ChainPanels() {
  const last = useLastBlocks()
  return (
    <>
      <Payouts last={last} />
      <Dominance last={last} />
    </>
  )
}
