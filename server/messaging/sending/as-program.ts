import type { Viewer } from '#server/identity/visibility/scope.ts'
import { findRows, type ListRow } from '#server/messaging/conversations/rows/list-row-store.ts'
import { listOwnNumbers, type OwnNumber } from '#server/messaging/conversations/rows/number-store.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { findByWamid } from './send-store.ts'

export { listOwnNumbers, type OwnNumber }

/** A message of one of our numbers, with its conversation. */
interface NamedMessage {
  readonly id: string
  readonly direction: string
  readonly row: ListRow
}

/** The message that a program names by its wamid, or by our id. Undefined: none of this number that the caller sees. */
export async function findNamed(
  { db, orgId }: OrgWrite,
  viewer: Viewer,
  named: { wamid: string; id: string | undefined; connectionId: string },
): Promise<NamedMessage | undefined> {
  const found = await findByWamid(db, viewer, named)
  const [row] = found ? await findRows.byId(db, [found.conversation_id], { orgId }) : []
  return found && row?.connection_id === named.connectionId
    ? { id: found.id, direction: found.direction, row }
    : undefined
}

/** The numbers of ours that these conversations are with. */
export async function findOwnNumbers(
  { db, orgId }: Pick<OrgWrite, 'db' | 'orgId'>,
  conversationIds: readonly string[],
): Promise<ReadonlyMap<string, OwnNumber>> {
  const numbers = new Map((await listOwnNumbers(db, orgId)).map(number => [number.id, number]))
  const rows = await findRows.byId(db, conversationIds, { orgId })
  return new Map(
    rows.flatMap(({ id, connection_id }): [string, OwnNumber][] => {
      const number = numbers.get(connection_id)
      return number ? [[id, number]] : []
    }),
  )
}
