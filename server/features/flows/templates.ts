import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { FlowGraph } from '#shared/flows/graph.ts'
import type { KnownTemplate } from '#shared/flows/problems/problem.ts'
import { chosenTemplates } from '#shared/flows/uses.ts'
import { isOfferOver } from '#shared/templates/sending.ts'
import { isApproved, isMarketingCategory } from '#shared/templates/words.ts'
import type { FlowWorld, ReadyFlowTemplate } from './step/advance-types.ts'

interface FoundTemplate extends KnownTemplate {
  /** Meta's category of the template. */
  readonly category: string
  /** Fills in values by their position; undefined: they do not fit. Pure. */
  fill(values: Readonly<Record<string, string>>): ReadyFlowTemplate | undefined
}

/** The template functions that flows need; feature.ts supplies them. */
export interface FlowTemplates {
  /** Returns every language of these names. */
  findNamed(db: Db, orgId: string, names: readonly string[]): Promise<readonly FoundTemplate[]>
  noteUse(db: OrgDb, orgId: string, id: string, use: { count: number; at: string }): Promise<void>
}

/** The templates a flow uses. */
export const templatesOf = async (
  db: Db,
  orgId: string,
  graph: FlowGraph,
  { findNamed }: Pick<FlowTemplates, 'findNamed'>,
): Promise<readonly FoundTemplate[]> => {
  const names = new Set(chosenTemplates(graph).map(({ template }) => template))
  names.delete('')
  return names.size ? findNamed(db, orgId, [...names]) : []
}

/** Fills the templates a flow uses, in their current form. `isOptedOut`: not those of marketing. */
export async function templateFiller(
  db: Db,
  orgId: string,
  graph: FlowGraph,
  templates: FlowTemplates,
  { isOptedOut }: { isOptedOut: boolean },
): Promise<FlowWorld['fillTemplate']> {
  const known = await templatesOf(db, orgId, graph, templates)
  return ({ template, language, values }, now) => {
    const found = known.find(one => one.name === template && one.language === language)
    if (!found) return 'templateGone'
    if (!isApproved(found.status)) return 'templateNotApproved'
    if (isOptedOut && isMarketingCategory(found.category)) return 'templateOptedOut'
    if (isOfferOver(found.components, values['offer.endsAt'], Date.parse(now))) return 'templateOfferOver'
    return found.fill(values) ?? 'templateValues'
  }
}
