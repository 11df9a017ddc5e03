import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { lookingMs, type Present, writingMs } from '#shared/inbox/presence.ts'
import { useIsAway } from './live-provider.tsx'
import { useViewer } from './viewer.ts'

/** Said again while there is time left, however slow the line. */
const sayLookingEveryMs = lookingMs * (2 / 3)
const sayWritingEveryMs = writingMs / 2

interface Presence {
  /** Who else is there. */
  readonly people: readonly Present[]
  /** What the live events tell of somebody. */
  hear(person: Present, isGone: boolean): void
  /** This person writes; said once in a while, however often it is called. */
  wrote(): void
  /** Says anew that this person is here, and hears who is: after a break of the line. */
  sayAgain(): void
}

/**
 * Says that this person is at something, and tells who else is. A courtesy: what fails is not said.
 * @param send answers who else is there
 */
export const usePresence = (
  send: (state: 'looking' | 'writing' | 'gone') => Promise<{ readonly items: readonly Present[] }>,
): Presence => {
  const { id: own } = useViewer().user
  const [people, setPeople] = useState<readonly Present[]>([])
  const saidWriting = useRef(false)
  const ends = useRef(new Map<string, ReturnType<typeof setTimeout>>())
  /** Whoever stops writing does not say so. */
  const endLater = ({ id, isWriting }: Present) => {
    clearTimeout(ends.current.get(id))
    if (!isWriting) return
    const stop = () => setPeople(before => before.map(one => (one.id === id ? { ...one, isWriting: false } : one)))
    ends.current.set(id, setTimeout(stop, writingMs))
  }
  const take = (items: readonly Present[]) => {
    items.forEach(endLater)
    setPeople(items)
  }
  const say = useEffectEvent((state: 'looking' | 'writing' | 'gone') =>
    send(state).then(
      ({ items }) => state !== 'gone' && take(items),
      () => undefined,
    ),
  )
  const isAway = useIsAway()
  const stay = useEffectEvent(() => !isAway && void say('looking'))
  const sayRef = useRef<(state: 'looking' | 'writing') => void>(undefined)
  useEffect(() => {
    const isSeen = () => document.visibilityState === 'visible'
    const sayAgain = () => void (isSeen() && stay())
    const seen = () => void say(isSeen() ? 'looking' : 'gone')
    sayRef.current = state => void say(state)
    sayAgain()
    const timer = setInterval(sayAgain, sayLookingEveryMs)
    document.addEventListener('visibilitychange', seen)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', seen)
      sayRef.current = undefined
      void say('gone')
    }
  }, [])
  return {
    people,
    hear(person, isGone) {
      if (person.id === own) return
      endLater(person)
      setPeople(before => [...before.filter(({ id }) => id !== person.id), ...(isGone ? [] : [person])])
    },
    wrote() {
      if (saidWriting.current) return
      saidWriting.current = true
      setTimeout(() => {
        saidWriting.current = false
      }, sayWritingEveryMs)
      sayRef.current?.('writing')
    },
    sayAgain: () => sayRef.current?.('looking'),
  }
}
