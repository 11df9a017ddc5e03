import type { TemplateComponent } from '#shared/template-components.ts'
import type { TemplateFault } from '#shared/template-fault.ts'
import type { ParameterFormat } from '#shared/template-words.ts'
import type { Db } from '../db.ts'
import { buildTemplateMessage, type TemplateValues } from '../whatsapp/template-message.ts'
import { templateErrors } from './errors.ts'
import { type ReadyTemplate, requireApproved } from './sending.ts'
import { findTemplate, noteUse } from './store.ts'
import { findWabaId } from './sync-store.ts'

export type { ReadyTemplate, TemplateValues }

/** A template as it was at one moment: whatever becomes of it, what is sent stays the same. */
export interface FrozenTemplate {
  readonly id: string
  readonly name: string
  readonly language: string
  readonly category: string
  readonly parameterFormat: ParameterFormat
  readonly components: TemplateComponent[]
}

export type FilledTemplate = ReadyTemplate & { readonly faults: null }

/** @throws TEMPLATES_NOT_FOUND, TEMPLATES_NOT_CONNECTED, TEMPLATES_NOT_APPROVED, TEMPLATES_PAUSED, TEMPLATES_DISABLED */
async function freeze(db: Db, orgId: string, id: string): Promise<FrozenTemplate> {
  const wabaId = await findWabaId(db, orgId)
  if (wabaId === undefined) throw templateErrors.NOT_CONNECTED()
  const found = await findTemplate(db, orgId, id)
  if (found?.wabaId !== wabaId) throw templateErrors.NOT_FOUND()
  requireApproved(found)
  const { name, language, category, parameterFormat, components } = found
  return { id: found.id, name, language, category, parameterFormat, components }
}

/** What one person gets, or which of their values do not fit. Pure. */
function fill(
  template: FrozenTemplate,
  values: TemplateValues,
): FilledTemplate | { readonly faults: readonly TemplateFault[] } {
  const built = buildTemplateMessage(template, values)
  if (built.faults) return { faults: built.faults }
  const { id, name, language, category } = template
  const { header, body, footer, buttons } = built.preview
  return {
    faults: null,
    id,
    category,
    message: built.message,
    text: body,
    shown: { id, name, language, header, footer, buttons: [...buttons] },
  }
}

/** Meta's words for how a template stands, what it is for and how it is liked, as of now; undefined: it is gone. */
const findStanding = async (
  db: Db,
  orgId: string,
  id: string,
): Promise<{ readonly status: string; readonly category: string; readonly quality: string } | undefined> =>
  findTemplate(db, orgId, id)

/** What whoever sends one template to many needs of this room. */
export const templateFreezing = { freeze, fill, findStanding, noteUse }
export type TemplateFreezing = typeof templateFreezing
