// When nobody can be at the screen, and when someone can again.
import { beforeEach, describe, expect, it } from 'vitest'
import { type PowerChange, Presence } from './presence'

let isLocked = false
let told: string[] = []
let presence = newPresence()

function newPresence(): Presence {
  return new Presence({
    onLeft: () => void told.push('left'),
    onBack: () => void told.push('back'),
    onWake: () => void told.push('wake'),
    isLocked: () => isLocked,
  })
}

function tell(...changes: readonly PowerChange[]): readonly string[] {
  for (const change of changes) presence.tell(change)
  return told
}

beforeEach(() => {
  isLocked = false
  told = []
  presence = newPresence()
})

describe('the user', () => {
  it('is away while the screen is locked', () => {
    expect(tell('lock-screen')).toEqual(['left'])
    expect(tell('lock-screen')).toEqual(['left'])
    expect(tell('unlock-screen')).toEqual(['left', 'back'])
  })

  it('is away while the computer sleeps', () => {
    expect(tell('suspend', 'resume')).toEqual(['left', 'wake', 'back'])
  })

  it("isn't back from sleep before the screen is unlocked", () => {
    isLocked = true
    expect(tell('lock-screen', 'suspend', 'resume')).toEqual(['left', 'wake'])
    expect(tell('unlock-screen')).toEqual(['left', 'wake', 'back'])
  })

  it("is back if the end of the lock wasn't reported", () => {
    expect(tell('suspend', 'lock-screen', 'resume')).toEqual(['left', 'wake', 'back'])
  })

  it('was never away if only an end is reported', () => {
    expect(tell('unlock-screen')).toEqual([])
    expect(tell('resume')).toEqual(['wake'])
  })
})
