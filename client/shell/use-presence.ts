import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { lookingMs, type Present, writingMs } from '#shared/inbox/presence.ts'
import { useIsAway } from './live-provider.tsx'
import { useViewer } from './viewer.ts'

/** Repeated before it expires, with time for a slow connection. */
const sayLookingEveryMs = lookingMs * (2 / 3)
const sayWritingEveryMs = writingMs / 2

interface Presence {
  /** The other people who have the page open. */
  readonly people: readonly Present[]
  /** Handles a live event about a person. */
  hear(person: Present, isGone: boolean): void
  /** Call it while the person writes. Sent once in a while. */
  wrote(): void
  /** Sends and reloads presence after an interruption. */
  sayAgain(): void
}

/** Sends this person's presence and lists the others. Failures are ignored. @param send returns the other people */
export const usePresence = (
  send: (state: 'looking' | 'writing' | 'gone') => Promise<{ readonly items: readonly Present[] }>,
): Presence => {
  const { id: own } = useViewer().user
  const [people, setPeople] = useState<readonly Present[]>([])
  const saidWriting = useRef(false)
  const ends = useRef(new Map<string, ReturnType<typeof setTimeout>>())
  /** No event says that a person stopped writing, so the mark expires. */
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
