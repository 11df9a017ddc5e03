import { startTransition, useEffect, useEffectEvent, useState } from 'react'
import type { FlowProblem } from '#shared/flow-problem.ts'
import { problemsOf } from '#shared/flow-problems.ts'
import { whenIdle } from './when-idle.ts'

type Checked = Parameters<typeof problemsOf>[0]
type Facts = Parameters<typeof problemsOf>[1]

/** It is looked so soon, also where there was no time. */
const withinMs = 2000

interface Problems {
  /** Undefined: it is not known yet. The same list as long as it says the same. */
  readonly problems: readonly FlowProblem[] | undefined
  /** Looks now. */
  check(flow: Checked): readonly FlowProblem[]
}

/** What is wrong with a flow. It is drawn in and typed in first: that is said when there is time. */
export function useProblems(flow: Checked, facts: Facts): Problems {
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
