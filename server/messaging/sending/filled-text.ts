import { findRows } from '#server/messaging/conversations/rows/list-row-store.ts'
import { nameOf } from '#server/messaging/conversations/shown/present.ts'
import { contactAddress } from '#server/messaging/identifier.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { fillIn, variablesIn } from '#shared/flows/variables.ts'
import { textMaxChars } from '#shared/kernel/limits.ts'
import type { OrgVariables } from '#shared/orgs/variables.ts'

/**
 * The text with variables such as `{{contacto.nombre|cliente}}` replaced for one customer. A missing value becomes its
 * default, or nothing. @param agent who writes; absent: the member whom the conversation is assigned to
 */
export async function filledFor(
  { db, orgId }: OrgWrite,
  { conversationId, text, agent }: { conversationId: string; text: string; agent?: string },
  readOrgVariables: (orgId: string, db: OrgWrite['db']) => Promise<OrgVariables>,
): Promise<string> {
  if (!variablesIn(text).length) return text
  const [row] = await findRows.byId(db, [conversationId], { orgId })
  const builtIn = {
    'contacto.nombre': row ? nameOf(row) : '',
    'contacto.telefono': row ? contactAddress(row) : '',
    'agente.nombre': agent ?? row?.assignee_name ?? '',
    ...(await readOrgVariables(orgId, db)),
    ultimo_mensaje: '',
  }
  return fillIn(text, {}, builtIn, textMaxChars)
}
