import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useEvents } from '#client/shell/live-provider.tsx'
import { refreshPhones } from './queries.ts'

/**
 * The consequences of an event take a moment in the simulator, such as a delivery or a receipt. So phones are
 * refreshed at once and twice afterwards.
 */
const looksMs = [0, 400, 1500]

/** Refreshes the phones while the business reads and answers. */
export const usePhoneEvents = (org: string): void => {
  const client = useQueryClient()
  const timers = useRef<readonly ReturnType<typeof setTimeout>[]>([])
  const stop = () => {
    for (const timer of timers.current) clearTimeout(timer)
  }
  const look = () => {
    stop()
    timers.current = looksMs.map(ms => setTimeout(() => void refreshPhones(client, org), ms))
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is still to be looked at is the organization's
  useEffect(() => stop, [client, org])
  useEvents({ message: look, messageChanged: look, status: look, conversation: look }, look)
}
