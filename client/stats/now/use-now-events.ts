import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { keyFor } from '#client/app/queries/queries.ts'
import { useEvents } from '#client/shell/live-provider.tsx'
import { nowQuery } from './queries.ts'

/** Segments are read from messages some two seconds after them. */
const segmentsAfterMs = 3_000
/** The page asks at most this often. */
const pauseMs = 4_000

/** Asks once for a burst of calls, and not more often than the pause allows. */
const createRefresh = (ask: () => void) => {
  let pause: ReturnType<typeof setTimeout> | undefined
  let later: ReturnType<typeof setTimeout> | undefined
  let isDue = false
  const soon = () => {
    isDue = true
    if (pause) return
    isDue = false
    ask()
    pause = setTimeout(() => {
      pause = undefined
      if (isDue) soon()
    }, pauseMs)
  }
  return {
    soon,
    afterSegments() {
      later ??= setTimeout(() => {
        later = undefined
        soon()
      }, segmentsAfterMs)
    },
    stop() {
      clearTimeout(pause)
      clearTimeout(later)
    },
  }
}

/** Keeps the page up to date with live events. */
export const useNowEvents = (org: string): void => {
  const client = useQueryClient()
  const refresh = useRef<ReturnType<typeof createRefresh>>(undefined)
  useEffect(() => {
    const own = createRefresh(() => {
      void client.invalidateQueries({ queryKey: nowQuery(org).queryKey })
      void client.invalidateQueries({ queryKey: keyFor(org, 'stats.getOverview') })
    })
    refresh.current = own
    return own.stop
  }, [client, org])
  const soon = () => refresh.current?.soon()
  const later = () => refresh.current?.afterSegments()
  useEvents(
    {
      answerDue: soon,
      message: later,
      internal: later,
      conversation: soon,
      availability: soon,
      memberLeft: soon,
      teamRemoved: soon,
      organization: soon,
      visibility: soon,
    },
    soon,
  )
}
