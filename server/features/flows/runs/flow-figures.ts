import type { Db } from '#server/platform/db/database.ts'
import { maxAnswersTimed, maxRunsCounted, maxStepsCounted } from '#shared/flows/runs/limits.ts'
import { readInside } from '#shared/flows/subflows.ts'
import type { Language } from '#shared/kernel/language.ts'
import type { FlowSteps } from '#shared/stats/blocks.ts'
import { flowErrors } from '../errors.ts'
import { findFlow, hasFlow } from '../store.ts'
import { nodeFigures } from './figures.ts'
import { countReached, countSteps } from './run-store.ts'

/** The sessions by which steps are counted. */
export const mostCounted = { runs: maxRunsCounted, steps: maxStepsCounted }

/** Figures of each node, such as how many customers reached it, from the flow's last sessions. @throws FLOWS_NOT_FOUND */
export async function readNodeFigures(db: Db, orgId: string, flowId: string) {
  if (!(await hasFlow(db, orgId, flowId))) throw flowErrors.NOT_FOUND()
  const most = { ...mostCounted, answers: maxAnswersTimed }
  const { runs, counts, answers } = await countSteps(db, orgId, flowId, most)
  return { runs, nodes: nodeFigures(counts, answers).filter(({ nodeId }) => !readInside(nodeId)) }
}

/** The steps of a flow, those with most customers first, with the names in its draft. @throws FLOWS_NOT_FOUND */
export const createFunnel =
  ({ translate }: { translate(language: Language, key: string): string }) =>
  async (db: Db, orgId: string, { flowId, language }: { flowId: string; language: Language }): Promise<FlowSteps> => {
    const { runs, nodes } = await readNodeFigures(db, orgId, flowId)
    const reached = await countReached(db, orgId, flowId, mostCounted)
    const drawn = new Map(
      (await findFlow(db, orgId, flowId))?.graph.nodes.map((node, place) => [node.id, { node, place }]),
    )
    const placeOf = ({ nodeId }: { nodeId: string }) => drawn.get(nodeId)?.place ?? drawn.size
    return {
      runs,
      steps: nodes
        .map(({ nodeId, gaveUp, here }) => {
          const { node } = drawn.get(nodeId) ?? {}
          const kind = translate(language, node ? `flows:node.${node.type}` : 'stats:blocks.flows.removedStep')
          return { nodeId, name: node?.name || kind, entered: reached.get(nodeId) ?? 0, gaveUp, here }
        })
        .sort((a, b) => b.entered - a.entered || placeOf(a) - placeOf(b)),
    }
  }
