import type { Db } from '#server/platform/db/database.ts'
import { asObject, asText } from '#server/whatsapp/scalars.ts'
import type { SandboxMessage } from '../customers/message-store.ts'
import { listByNames } from './template-store.ts'

/** The template categories of these messages in lower case, by wamid. Messages without a template have none. */
export async function categoriesOf(
  db: Db,
  orgId: string,
  messages: readonly SandboxMessage[],
): Promise<ReadonlyMap<string, string>> {
  const names = messages.flatMap(({ wamid, type, body }) => {
    const name = type === 'template' ? asText(asObject(asObject(JSON.parse(body))?.template)?.name) : undefined
    return name === undefined ? [] : [[wamid, name] as const]
  })
  if (!names.length) return new Map()
  const found = await listByNames(db, orgId, [...new Set(names.map(([, name]) => name))])
  const byName = new Map(found.map(({ name, category }) => [name, category.toLowerCase()]))
  return new Map(names.map(([wamid, name]) => [wamid, byName.get(name) ?? 'utility']))
}
