import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useApi } from '#client/app/calls/use-api.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { showFirstFault } from '#client/ui/controls/first-fault.ts'
import { confirmByNumberFrom } from '#shared/bulk-sends/limits.ts'
import { paths } from '#shared/kernel/paths.ts'
import { draftsQuery, refreshSends } from '../../queries.ts'
import { useChosenStart } from '../../start-time.tsx'
import type { DraftOfPage } from '../beginning/use-draft.ts'
import { careOf } from '../plan/care.ts'
import type { TypedStart } from '../plan/plan-step.tsx'
import type { Planned, usePlanned } from '../plan/use-planned.ts'
import type { Composition } from '../use-composition.ts'

interface SendingParts {
  readonly composition: Composition
  readonly draft: DraftOfPage
  readonly plans: ReturnType<typeof usePlanned>
}

/** Creates the send that was planned: when it starts, the confirmation of a large one, and the call. */
export function useSending({ composition: { name, care }, draft, plans }: SendingParts) {
  const { slug } = useOrg()
  const api = useApi()
  const client = useQueryClient()
  const navigate = useNavigate()
  const startOf = useChosenStart()
  const [start, setStart] = useState<TypedStart>({ wall: undefined, clock: 'ofOrg' })
  const [isTimeMissing, setTimeMissing] = useState(false)
  const [confirming, setConfirming] = useState<Planned>()
  const create = ({ request, plan: seen, key }: Planned) => {
    const chosenStart = start.wall === undefined ? {} : startOf(start.wall, start.clock)
    if (!chosenStart) return setTimeMissing(true)
    const sentCare = careOf(care, seen.planned)
    if (!sentCare) return showFirstFault()
    plans.send(async () => {
      // The draft is deleted in the commit that makes the send.
      await draft.flush()
      const draftId = draft.id()
      const of = draftId === undefined ? {} : { draft: draftId }
      const body = {
        ...request,
        ...of,
        ...(name.trim() ? { name: name.trim() } : {}),
        startIfPlanned: seen.planned,
        ...sentCare,
        ...chosenStart,
      }
      const { id } = await api.bulkSends.create({ body }, { idempotencyKey: key })
      draft.end()
      void client.invalidateQueries({ queryKey: draftsQuery(slug).queryKey })
      await refreshSends(client, slug)
      // Replaces the address, because the draft no longer exists.
      await navigate(paths.bulkSend(slug, id), { replace: true })
    })
  }
  return {
    start,
    isTimeMissing,
    /** The large send whose number the person types first. */
    confirming,
    changeStart(next: TypedStart) {
      setStart(next)
      setTimeMissing(false)
      plans.changeKey()
    },
    create,
    stopConfirming: () => setConfirming(undefined),
    /** Creates the send, or asks for its number of recipients first. */
    confirm(made: Planned) {
      if (made.plan.planned < confirmByNumberFrom) return create(made)
      if (start.wall !== undefined && !startOf(start.wall, start.clock)) return setTimeMissing(true)
      setConfirming(made)
    },
  }
}
