import { InvalidInput } from '#server/platform/http/validate.ts'
import type { FlowProblem } from '#shared/flows/problems/problem.ts'
import { flowErrors } from './errors.ts'

const maxProblemsNamed = 50

/** The problems that prevent publishing, by node and field. */
export const problemsRefusal = (problems: readonly FlowProblem[]): InvalidInput => {
  const { code: whole, status, params: count } = flowErrors.HAS_PROBLEMS({ params: { count: problems.length } })
  return new InvalidInput(
    problems.slice(0, maxProblemsNamed).map(({ nodeId, triggerId, field, code, params }) => ({
      field: [nodeId === undefined ? 'triggers' : 'graph.nodes', nodeId ?? triggerId, field].filter(Boolean).join('.'),
      code,
      text: `flows:problem.${code}`,
      params: { ...params },
    })),
    whole,
    status,
    count,
  )
}
