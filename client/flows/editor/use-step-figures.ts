import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { useKnownAnswer } from '#client/app/queries/use-answer.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { figuresQuery } from '../queries.ts'
import type { Selection } from './use-selection.ts'

/** Figures older than this are requested again when shown. */
const figuresHoldMs = 30_000

/** Counts of customers at each step, requested when they are shown. `counted`: the last answer, also while hidden. */
export function useStepFigures(flowId: string, { setPane, leaveFor }: Selection) {
  const { slug } = useOrg()
  const client = useQueryClient()
  const failureText = useFailureText()
  const [showsFigures, setShowsFigures] = useState(false)
  const counted = useKnownAnswer(figuresQuery(slug, flowId))
  const figures = useMemo(
    () => (showsFigures && counted ? new Map(counted.nodes.map(one => [one.nodeId, one])) : undefined),
    [showsFigures, counted],
  )
  const toggleFigures = async () => {
    setShowsFigures(!showsFigures)
    leaveFor(showsFigures ? undefined : 'figures')
    if (showsFigures) return
    try {
      await client.fetchQuery({ ...figuresQuery(slug, flowId), staleTime: figuresHoldMs })
    } catch (error) {
      setShowsFigures(false)
      setPane(undefined)
      toast(failureText(error), { kind: 'error' })
    }
  }
  return { counted, figures, showsFigures, toggleFigures: () => void toggleFigures() }
}
