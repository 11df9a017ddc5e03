import { createContext, type ReactNode, startTransition, useContext, useEffect, useState } from 'react'
import { useFacts } from '#client/facts.ts'
import { timeZoneKey } from '#client/preference.ts'
import { defaultTimeZone } from '#shared/time.ts'
import { ownTimeZone } from './own-time-zone.ts'
import { remember } from './remember.ts'

/** When and where it is for the reader; the same on the server and while hydrating, so that no label flickers. */
export interface Moment {
  now: number
  timeZone: string
  /** When `now` was told, by `performance.now()`; undefined until hydrated. */
  shownAtMs?: number
}

const MomentContext = createContext<Moment>({ now: 0, timeZone: defaultTimeZone })

const tickMs = 20_000

/** Begins with the server's facts; after hydration the browser's own zone and a ticking clock take over. */
export const MomentProvider = ({ children }: { children: ReactNode }) => {
  const { now, timeZone } = useFacts()
  const [moment, setMoment] = useState<Moment>({ now, timeZone })
  useEffect(() => {
    const own = ownTimeZone() || timeZone
    if (own !== timeZone) remember(timeZoneKey, own)
    // The server's clock rules what has expired, the browser's may be hours off: only what has passed is taken from it.
    const hydrated = performance.now()
    const tick = () => {
      const shownAtMs = performance.now()
      // Half the page may tell times: no key waits for them.
      startTransition(() => setMoment({ now: now + shownAtMs - hydrated, timeZone: own, shownAtMs }))
    }
    tick()
    const timer = setInterval(tick, tickMs)
    return () => clearInterval(timer)
  }, [now, timeZone])
  return <MomentContext value={moment}>{children}</MomentContext>
}

const second = 1000

/** Milliseconds until a time of the server's clock, looked at every second; never below 0. */
export const useMsUntil = (at: string): number => {
  const { now, shownAtMs } = useContext(MomentContext)
  const [passedMs, setPassedMs] = useState(0)
  useEffect(() => {
    if (shownAtMs === undefined) return
    const tick = () => setPassedMs(performance.now() - shownAtMs)
    tick()
    const timer = setInterval(tick, second)
    return () => clearInterval(timer)
  }, [shownAtMs])
  return Math.max(0, Date.parse(at) - now - passedMs)
}

export const useMoment = (): Moment => useContext(MomentContext)
