import { createContext, type ReactNode, startTransition, useContext, useEffect, useMemo, useState } from 'react'
import { FactsContext, useFacts } from '#client/app/facts.ts'
import { timeZoneKey } from '#client/app/preferences/preference.ts'
import { defaultTimeZone } from '#shared/kernel/time.ts'
import { remember } from '../page/remember.ts'
import { ownTimeZone } from './own-time-zone.ts'

/** The current time and the reader's zone; the same on the server and during hydration, so that no label flickers. */
interface Moment {
  now: number
  timeZone: string
  /** `now` was read at this time of `performance.now()`; undefined until hydrated. */
  shownAtMs?: number
}

const MomentContext = createContext<Moment>({ now: 0, timeZone: defaultTimeZone })

const tickMs = 20_000

/**
 * Begins with the server's facts. After hydration, a ticking clock and the browser's own zone replace them, the zone
 * also in the facts of its children, so that no page shows times of two zones.
 * @param timeZone for a page about the organization's clock: all its times are shown in this zone
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
    // What has expired follows the server's clock. The browser's may be hours off; only elapsed time is taken from it.
    const hydrated = performance.now()
    const tick = () => {
      const shownAtMs = performance.now()
      // Half of the page may show times; typing must not wait for them.
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

/** Milliseconds until a time of the server's clock, updated every second; never below 0. */
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

/** A function for handlers that returns the server's time of the moment. The page may be open since yesterday. */
export const useClock = (): (() => number) => {
  const { now } = useFacts()
  return () => now + performance.now()
}
