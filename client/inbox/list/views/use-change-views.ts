import { useQueryClient } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { useFailureText } from '#client/app/use-api.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { refreshViews } from './views-query.ts'

/** Runs a change, confirms it and reloads the views. `fault`: why it failed. */
export const useChangeViews = (org: string) => {
  const client = useQueryClient()
  const failureText = useFailureText()
  const [fault, setFault] = useState<string>()
  const [isWorking, start] = useTransition()
  const run = (work: () => Promise<unknown>, done: string, after?: () => void) =>
    start(async () => {
      setFault(undefined)
      try {
        await work()
        await refreshViews(client, org)
        toast(done, { kind: 'success' })
        after?.()
      } catch (error) {
        setFault(failureText(error))
      }
    })
  return { fault, setFault, isWorking, run }
}
