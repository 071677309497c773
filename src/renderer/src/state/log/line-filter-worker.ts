// The thread that looks through lines, so that neither a hundred thousand of them nor a bad pattern hold the page.
import { type FilterAnswer, LineFilter } from './line-filter'

const channel = new MessageChannel()
const waiting: (() => void)[] = []
channel.port1.onmessage = () => waiting.shift()?.()

const filter = new LineFilter({
  answer: (answer: FilterAnswer) => postMessage(answer),
  // A message to itself comes after those of the page, and without the timer's delay.
  later: (work) => {
    waiting.push(work)
    channel.port2.postMessage(null)
  },
})

addEventListener('message', ({ data }) => filter.take(data))
