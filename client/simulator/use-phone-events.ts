import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useEvents } from '#client/shell/live-provider.tsx'
import { refreshPhones } from './queries.ts'

/**
 * What follows an event in the simulator takes a moment more: an answer is delivered, a receipt is sent. So phones are
 * looked at again at once and twice afterwards.
 */
const looksMs = [0, 400, 1500]

/** Keeps the phones true while the business reads and answers. */
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
