import type { Db } from '#server/platform/db/database.ts'
import type { FlowGraph } from '#shared/flows/graph.ts'
import type { fieldValues } from '#shared/flows/variables.ts'
import type { FlowServiceParts } from '../service-parts.ts'
import { needsOf } from '../sessions/needs.ts'
import { readFlowSettings } from '../settings.ts'
import { templateFiller } from '../templates.ts'
import type { SimulationParts } from './simulate.ts'

/** The data of an organization that is the same for every simulated customer. */
export function createWorlds(
  parts: Pick<
    FlowServiceParts,
    'tags' | 'readOpening' | 'readTimeZone' | 'readOrgVariables' | 'readListLabel' | 'templates'
  >,
) {
  return async (db: Db, orgId: string, graph: FlowGraph) => {
    const timeZone = await parts.readTimeZone(orgId, db)
    const orgVariables = await parts.readOrgVariables(orgId, db)
    const knownTagIds = (await parts.tags.list(db, orgId)).map(({ id }) => id)
    const fillTemplate = await templateFiller(db, orgId, graph, parts.templates, { isOptedOut: false })
    const listLabel = await parts.readListLabel(orgId, db)
    const settings = await readFlowSettings(db, orgId)
    const isOpen = needsOf(graph).hours ? await parts.readOpening(orgId, db) : () => true
    return {
      isOpen,
      /** `fields`: the values of a real customer. */
      for: (name: string, phone: string, tagIds: readonly string[], fields: ReturnType<typeof fieldValues> = {}) => ({
        timeZone,
        knownTagIds,
        tagIds,
        fillTemplate,
        settings,
        listLabel,
        builtIn: {
          'contacto.nombre': name,
          'contacto.telefono': phone,
          'agente.nombre': '',
          ...orgVariables,
          ...fields,
        },
      }),
    } satisfies {
      isOpen: SimulationParts['isOpen']
      for(...facts: never): Omit<SimulationParts, 'graph' | 'from' | 'opening' | 'inputs' | 'isOpen' | 'giveWay'>
    }
  }
}
export type Worlds = ReturnType<typeof createWorlds>
