import { useQueryClient } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { refreshViews } from './views-query.ts'

/**
 * Changes views: each change is confirmed, and the views are reloaded. `change` throws if it fails; `run` shows the
 * reason as `fault` instead.
 */
export const useChangeViews = (org: string) => {
  const client = useQueryClient()
  const failureText = useFailureText()
  const [fault, setFault] = useState<string>()
  const [isWorking, start] = useTransition()
  const change = async (work: () => Promise<unknown>, done: string) => {
    await work()
    await refreshViews(client, org)
    toast(done, { kind: 'success' })
  }
  const run = (work: () => Promise<unknown>, done: string, after?: () => void) =>
    start(async () => {
      setFault(undefined)
      try {
        await change(work, done)
        after?.()
      } catch (error) {
        setFault(failureText(error))
      }
    })
  return { fault, setFault, isWorking, change, run }
}
