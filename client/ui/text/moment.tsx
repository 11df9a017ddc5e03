import { createContext, type ReactNode, startTransition, useContext, useEffect, useMemo, useState } from 'react'
import { FactsContext, useFacts } from '#client/app/facts.ts'
import { timeZoneKey } from '#client/app/preference.ts'
import { remember } from '#client/ui/page/remember.ts'
import { defaultTimeZone } from '#shared/kernel/time.ts'
import { ownTimeZone } from './own-time-zone.ts'

/** When and where it is for the reader; the same on the server and while hydrating, so that no label flickers. */
export interface Moment {
  now: number
  timeZone: string
  /** When `now` was told, by `performance.now()`; undefined until hydrated. */
  shownAtMs?: number
}

const MomentContext = createContext<Moment>({ now: 0, timeZone: defaultTimeZone })

const tickMs = 20_000

/**
 * Begins with the server's facts; after hydration a ticking clock and the browser's own zone take over, the zone also in the
 * facts of what is inside: no page tells times of two zones.
 * @param timeZone of a page that is about the organization's clock: all its times are told by that one
 */
export const MomentProvider = ({ children, timeZone: fixed }: { children: ReactNode; timeZone?: string }) => {
  const facts = useFacts()
  const { now } = facts
  const timeZone = fixed ?? facts.timeZone
  const [moment, setMoment] = useState<Moment>({ now, timeZone })
  useEffect(() => {
    const readers = ownTimeZone() || facts.timeZone
    if (readers !== facts.timeZone) remember(timeZoneKey, readers)
    const own = fixed ?? readers
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
  }, [now, fixed, facts.timeZone])
  const zoned = useMemo(() => ({ ...facts, timeZone: moment.timeZone }), [facts, moment.timeZone])
  return (
    <FactsContext value={zoned}>
      <MomentContext value={moment}>{children}</MomentContext>
    </FactsContext>
  )
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
