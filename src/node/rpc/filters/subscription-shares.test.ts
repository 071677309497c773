import { describe, expect, it } from 'vitest'
import { type Subscriber, SubscriptionShares } from './subscription-shares'

const LIMITS = { perConnection: 3, perCaller: 4, together: 6 }

/** A connection that returns its subscriptions when it is closed, as a real one does. */
function connection(shares: SubscriptionShares, name: string, hungUp: string[]): Subscriber & { count: number } {
  return {
    count: 0,
    hangUp() {
      hungUp.push(name)
      for (; this.count > 0; this.count--) shares.give(this)
    },
  }
}

describe('subscriptions', () => {
  const setUp = () => {
    const shares = new SubscriptionShares(LIMITS)
    const hungUp: string[] = []
    const open = (name: string) => connection(shares, name, hungUp)
    const take = (on: Subscriber & { count: number }, caller: string, times = 1) => {
      for (let time = 0; time < times; time++) {
        shares.take(on, caller)
        on.count += 1
      }
    }
    return { shares, hungUp, open, take }
  }

  it('are limited per connection and per caller', () => {
    const { open, take } = setUp()
    const [first, second] = [open('first'), open('second')]
    take(first, 'a', 3)

    expect(() => take(first, 'a')).toThrow('too many subscriptions: at most 3 on one connection')
    take(second, 'a')
    expect(() => take(second, 'a')).toThrow('too many subscriptions: at most 4 of one caller')
  })

  it('can be taken again once some were returned', () => {
    const { shares, open, take } = setUp()
    const [first, second] = [open('first'), open('second')]
    take(first, 'a', 3)
    take(second, 'a')
    shares.give(first)

    expect(() => take(second, 'a')).not.toThrow()
  })

  it('of the caller with most make room for one that has fewer', () => {
    const { hungUp, open, take } = setUp()
    take(open('small'), 'greedy')
    take(open('large'), 'greedy', 3)
    take(open('other'), 'other', 2)

    expect(() => take(open('new'), 'new')).not.toThrow()
    expect(hungUp).toEqual(['large'])
  })

  it('are refused to a client that has the most while there is no room', () => {
    const { hungUp, open, take } = setUp()
    take(open('a'), 'a', 3)
    take(open('b'), 'b', 3)

    expect(() => take(open('c'), 'a')).toThrow('too many subscriptions: at most 6 of all callers together')
    expect(hungUp).toEqual([])
  })
})
