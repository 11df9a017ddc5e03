import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLive } from '#client/shell/live-provider.tsx'
import { refreshPhones } from './queries.ts'

/**
 * What follows an event in the simulator takes a moment more: an answer is delivered, a receipt is sent. So phones are
 * looked at again at once and twice afterwards.
 */
const looksMs = [0, 400, 1500]

/** Keeps the phones true while the business reads and answers. */
export const usePhoneEvents = (org: string): void => {
  const client = useQueryClient()
  const live = useLive()
  useEffect(() => {
    if (!live) return
    let timers: ReturnType<typeof setTimeout>[] = []
    const look = () => {
      for (const timer of timers) clearTimeout(timer)
      timers = looksMs.map(ms => setTimeout(() => void refreshPhones(client, org), ms))
    }
    const stops = (['message', 'messageChanged', 'status', 'conversation', 'resync'] as const).map(name =>
      live.on(name, look),
    )
    return () => {
      for (const stop of stops) stop()
      for (const timer of timers) clearTimeout(timer)
    }
  }, [client, live, org])
}
