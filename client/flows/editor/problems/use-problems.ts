import { startTransition, useEffect, useEffectEvent, useMemo, useState } from 'react'
import type { FlowProblem } from '#shared/flows/problems/problem.ts'
import { problemsOf } from '#shared/flows/problems/problems.ts'
import { patternsIn } from '#shared/flows/uses.ts'
import { whenIdle } from '../when-idle.ts'

type Checked = Parameters<typeof problemsOf>[0]
type Facts = Parameters<typeof problemsOf>[1]

/** Checked after this long, even if the page was never idle. */
const withinMs = 2000

interface Problems {
  /** Undefined: not known yet. The same array while its content is equal. */
  readonly problems: readonly FlowProblem[] | undefined
  /** Checks immediately. */
  check(flow: Checked): readonly FlowProblem[]
}

const hasPatterns = ({ graph, triggers }: Checked): boolean =>
  patternsIn(graph).length > 0 || triggers.some(trigger => trigger.kind === 'keyword' && trigger.match === 'pattern')

/**
 * The check of patterns. Its code is large and loads only if a pattern is used; without it the server checks at
 * publishing.
 */
function usePatternFault(isNeeded: boolean): Facts['patternFault'] {
  const [found, setFound] = useState<{ readonly patternFault: Facts['patternFault'] }>()
  useEffect(() => {
    if (!isNeeded) return
    import('#shared/kernel/pattern.ts').then(
      ({ patternFaultOf }) => startTransition(() => setFound({ patternFault: patternFaultOf })),
      () => undefined,
    )
  }, [isNeeded])
  return found?.patternFault
}

/** The problems of a flow, computed when the page is idle, because drawing and typing have priority. */
export function useProblems(flow: Checked, around: Facts): Problems {
  const patternFault = usePatternFault(hasPatterns(flow))
  const facts = useMemo(() => (patternFault ? { ...around, patternFault } : around), [around, patternFault])
  const [found, setFound] = useState<{ readonly problems: readonly FlowProblem[]; readonly text: string }>()
  const check = (checked: Checked) => {
    const problems = problemsOf(checked, facts)
    const text = JSON.stringify(problems)
    setFound(before => (before?.text === text ? before : { problems, text }))
    return problems
  }
  const look = useEffectEvent(() => startTransition(() => void check(flow)))
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked again whenever one of them is another
  useEffect(() => whenIdle(look, withinMs), [flow, facts])
  return { problems: found?.problems, check }
}
