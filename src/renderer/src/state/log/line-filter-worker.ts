// The thread that searches lines, so that neither a hundred thousand lines nor a bad pattern block the page.
import { type FilterAnswer, LineFilter } from './line-filter'

const channel = new MessageChannel()
const waiting: (() => void)[] = []
channel.port1.onmessage = () => waiting.shift()?.()

const filter = new LineFilter({
  answer: (answer: FilterAnswer) => postMessage(answer),
  // A message to itself is handled after the page's messages, and without a timer's delay.
  later: (work) => {
    waiting.push(work)
    channel.port2.postMessage(null)
  },
})

addEventListener('message', ({ data }) => filter.take(data))
