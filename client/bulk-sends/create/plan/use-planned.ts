import { useRef, useState, useTransition } from 'react'
import { isApiError } from '#client/app/calls/api-error.ts'
import { useApi } from '#client/app/calls/use-api.ts'
import type { BulkPlan, PlanInput } from '#shared/bulk-sends/plan.ts'

/** A plan and its request. Changing the request invalidates the plan. */
export interface Planned {
  readonly request: PlanInput
  readonly plan: BulkPlan
  /** Stays the same until there is an answer, so that the send is made once. */
  readonly key: string
}

/** The plan of a bulk send: made on the server, invalidated by changes, and sent. */
export const usePlanned = () => {
  const api = useApi()
  const [planned, setPlanned] = useState<Planned>()
  const [failure, setFailure] = useState<unknown>()
  const [isWorking, work] = useTransition()
  /** Numbers requests, so that answers to earlier ones are ignored. */
  const asked = useRef(0)
  const changeKey = () => setPlanned(before => before && { ...before, key: crypto.randomUUID() })
  return {
    planned,
    failure,
    isWorking,
    /** Applies a change that invalidates the plan. */
    change(apply: () => void) {
      asked.current += 1
      apply()
      setPlanned(undefined)
      setFailure(undefined)
    },
    /** Keeps the plan; a send that differs needs another key. */
    changeKey() {
      setFailure(undefined)
      changeKey()
    },
    plan(request: PlanInput) {
      const mine = asked.current
      work(async () => {
        setFailure(undefined)
        try {
          const plan = await api.bulkSends.plan({ body: request })
          if (mine === asked.current) setPlanned({ request, plan, key: crypto.randomUUID() })
        } catch (error) {
          if (mine === asked.current) setFailure(error)
        }
      })
    },
    /** Runs the call that makes the send. After a refusal the next attempt has another key. */
    send(call: () => Promise<void>) {
      work(async () => {
        setFailure(undefined)
        try {
          await call()
        } catch (error) {
          if (isApiError(error) && error.status >= 400 && error.status < 500) changeKey()
          setFailure(error)
        }
      })
    },
  }
}
