import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { LiveFlowShown } from '#shared/flows/api.ts'
import type { FlowGraph } from '#shared/flows/graph.ts'
import { secretReference } from '#shared/flows/http/http.ts'
import type { FlowProblem } from '#shared/flows/problems/problem.ts'
import type { FlowTrigger } from '#shared/flows/triggers/triggers.ts'
import { broughtVariables, ownVariables, variablesInside } from '#shared/flows/uses.ts'
import { builtInVariables } from '#shared/flows/variables.ts'
import { triggerText } from '../words.ts'
import type { EditorFacts } from './editor-context.ts'
import { useProblems } from './problems/use-problems.ts'
import { useSameValue } from './same-value.ts'
import { useNameable } from './use-nameable.ts'
import type { Selection } from './use-selection.ts'

interface Drawing {
  readonly graph: FlowGraph
  readonly triggers: readonly FlowTrigger[]
}

interface Around extends Pick<Selection, 'freshId' | 'newStart'>, Pick<EditorFacts, 'trail' | 'figures' | 'isAsked'> {
  readonly nameable: Parameters<typeof useNameable>[0]
  /** The draft as it is drawn. */
  readonly drawing: Drawing
}

/** The variable names that texts of the flow may use. The same array while its content is equal. */
function useVariables(
  { graph, triggers }: Drawing,
  live: readonly LiveFlowShown[],
  fields: readonly string[] | undefined,
) {
  return useSameValue(
    useMemo(() => {
      const own = [...ownVariables(graph), ...broughtVariables(triggers), ...variablesInside(graph, live)]
      return [...builtInVariables, ...(fields ?? []), ...new Set(own.map(name => `flujo.${name}`))]
    }, [graph, triggers, live, fields]),
  )
}

/** Without those of the step that was just added, and without the missing trigger while it is a new flow's start. */
const withoutFresh = (
  problems: readonly FlowProblem[] | undefined,
  { freshId, newStart }: Pick<Selection, 'freshId' | 'newStart'>,
) => problems?.filter(({ nodeId, code }) => nodeId !== freshId && !(code === 'triggerMissing' && freshId === newStart))

/** The flow as both views and the panel need it. `check` finds its problems at once. */
export function useFlowFacts({ nameable, drawing, freshId, newStart, isAsked, trail, figures }: Around) {
  const { t } = useTranslation('flows')
  const { flow, live, isReadOnly } = nameable
  const { names, fields, secrets, facts: known } = useNameable(nameable)
  const { problems: found, check } = useProblems(drawing, known)
  const problems = useMemo(
    () => (freshId === undefined || isAsked ? found : withoutFresh(found, { freshId, newStart })),
    [found, freshId, isAsked, newStart],
  )
  const variables = useVariables(drawing, live, fields)
  const { triggers } = drawing
  const beginsBy = useMemo(() => triggers.map(one => triggerText(t, one, names)).join(' · '), [t, triggers, names])
  const drawn = useMemo<Omit<EditorFacts, 'trail' | 'figures'>>(
    () => ({
      flowId: flow.id,
      names,
      beginsBy,
      isReadOnly,
      isAsked,
      variables,
      problems: problems ?? [],
      // Not while the problems of a fresh step are held back.
      isChecked: found !== undefined && problems?.length === found.length,
      errorIds: new Set(problems?.flatMap(({ nodeId, isError }) => (isError && nodeId ? [nodeId] : []))),
      secrets: secrets?.items.map(({ name }) => secretReference(name)) ?? [],
      runnable: live.filter(({ id }) => id !== flow.id).map(({ id }) => id),
    }),
    [flow.id, names, beginsBy, isReadOnly, isAsked, variables, found, problems, secrets, live],
  )
  const facts = useMemo<EditorFacts>(() => ({ ...drawn, trail, figures }), [drawn, trail, figures])
  return { facts, check }
}
