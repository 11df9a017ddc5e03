import { useState, useTransition } from 'react'
import { useFailureText } from '#client/app/calls/use-api.ts'

/**
 * A requirement that can be turned on and off. `asksFirst`: turning it on asks for confirmation. A refusal is shown
 * beside it.
 */
export function useDemand({ put, asksFirst }: { put(next: boolean): Promise<void>; asksFirst: boolean }) {
  const failureText = useFailureText()
  const [isAsking, setAsking] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [isSaving, save] = useTransition()
  const change = (next: boolean) => {
    setFailure(undefined)
    if (next && asksFirst) return setAsking(true)
    save(async () => {
      try {
        await put(next)
      } catch (error) {
        setFailure(failureText(error))
      }
    })
  }
  return { isAsking, isSaving, failure, change, close: () => setAsking(false) }
}
