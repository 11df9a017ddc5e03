import { useEffect, useRef, useState } from 'react'
import { useApi } from '#client/app/calls/use-api.ts'
import { useLasting } from '#client/ui/page/steady.ts'
import type { AudienceCount } from '#shared/bulk-sends/counting.ts'
import type { PlanInput } from '#shared/bulk-sends/plan.ts'

/** The pause after the last change. */
const waitMs = 400
/** A larger file would be uploaded after each change, so only the plan counts it. */
export const countedFileMaxChars = 1_000_000

export interface Counted {
  /** The newest answer, which may be about an earlier request while the next one is counted. */
  readonly answer: AudienceCount | undefined
  readonly isCounting: boolean
  readonly hasFailed: boolean
}

/**
 * Counts the recipients of a request shortly after it changed. One call at a time; an answer to an earlier request is
 * ignored. If `request` is undefined, nothing is counted.
 */
export function useCount(request: PlanInput | undefined): Counted {
  const api = useApi()
  const [latest, setLatest] = useState<{ of: PlanInput; answer: AudienceCount | undefined }>()
  const running = useRef<Promise<unknown>>(undefined)
  const ask = useLasting((body: PlanInput) => api.bulkSends.countAudience({ body }))
  useEffect(() => {
    if (!request) return
    let isCurrent = true
    const count = async () => {
      await running.current
      if (!isCurrent) return
      const answers = ask(request).catch(() => undefined)
      running.current = answers
      const answer = await answers
      if (isCurrent) setLatest({ of: request, answer })
    }
    const timer = setTimeout(() => void count(), waitMs)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [ask, request])
  const isCurrent = latest?.of === request
  return {
    answer: request ? latest?.answer : undefined,
    isCounting: request !== undefined && !isCurrent,
    hasFailed: request !== undefined && isCurrent && !latest?.answer,
  }
}
