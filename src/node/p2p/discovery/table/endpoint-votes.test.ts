import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../../../base/testing/fake-clock'
import { EndpointVotes } from '../discovery'

const vote = (votes: EndpointVotes, host: string, from: number, count: number): void => {
  for (let i = 0; i < count; i++) votes.add(host, `9.${from + i}.0.1`)
}

describe('our address as others see it', () => {
  it('is believed if most of ten agree', () => {
    const votes = new EndpointVotes(new FakeClock())
    vote(votes, '8.8.8.8', 0, 9)
    const nine = votes.winner()
    vote(votes, '8.8.8.8', 9, 1)
    const ten = votes.winner()
    vote(votes, '8.8.4.4', 20, 10)

    expect([nine, ten, votes.winner()]).toEqual([null, '8.8.8.8', null])
  })

  it('is the IPv4 one while enough see that, however many see the other', () => {
    const votes = new EndpointVotes(new FakeClock())
    vote(votes, '2600::1', 0, 30)
    const six = votes.winner()
    vote(votes, '8.8.8.8', 40, 10)

    expect([six, votes.winner()]).toEqual(['2600::1', '8.8.8.8'])
  })

  it("isn't believed from one neighborhood, nor if it isn't public", () => {
    const votes = new EndpointVotes(new FakeClock())
    for (let i = 0; i < 100; i++) votes.add('8.8.8.8', `9.9.9.${i}`)
    const crowd = votes.winner()
    vote(votes, '127.0.0.1', 0, 20)
    vote(votes, 'nonsense', 0, 20)

    expect([crowd, votes.winner()]).toEqual([null, null])
  })

  it('is dropped after five minutes', () => {
    const clock = new FakeClock()
    const votes = new EndpointVotes(clock)
    vote(votes, '8.8.8.8', 0, 12)
    clock.advance(5 * 60_000 + 1)

    expect(votes.winner()).toBeNull()
  })
})
