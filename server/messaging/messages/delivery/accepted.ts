import { openDirectory } from '#server/messaging/directory/directory.ts'
import { emitMerges, runMerges } from '#server/messaging/directory/merge.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import type { OrgDb, OrgWrite } from '#server/platform/events/write.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { applyMessageChanges } from '../changes/changes.ts'
import { type MessageChange, type StatusEffect, takeEffects } from '../changes/early-change-store.ts'
import { noteFree } from './free-entry.ts'
import { type DeliveryChange, settle } from './moves.ts'
import { deliveryChange } from './statuses.ts'
import { type DeliveryRow, findDeliveries, replaceCopy } from './store.ts'

const knowsRecipient = (row: DeliveryRow, { waId, bsuid }: { waId?: string; bsuid?: string }): boolean =>
  (!waId || waId === row.wa_id) && (!bsuid || bsuid === row.bsuid)

/** Stores the identifiers of the customer from Meta's answer. They can show that two contacts are the same person. */
const learnRecipient = async (
  db: OrgDb,
  orgId: string,
  row: DeliveryRow,
  sender: { waId?: string; bsuid?: string },
  clock: Clock,
) => {
  const directory = await openDirectory(db, orgId, [sender], { clock, ids: newId }, [row.contact_id])
  directory.learn(row.contact_id, sender, isoNow(clock))
  return runMerges(db, orgId, await directory.save())
}

/** Deletes copies of these messages that arrived by webhook before Meta's answer. Returns whether there were any. */
const dropCopies = async (
  db: OrgDb,
  orgId: string,
  rows: readonly DeliveryRow[],
  acceptedAs: (row: DeliveryRow) => { wamid: string },
): Promise<boolean> => {
  const originals = new Map(rows.filter(row => row.wamid === null).map(row => [acceptedAs(row).wamid, row]))
  const copies = originals.size ? await findDeliveries.byWamid(db, [...originals.keys()], { orgId }) : []
  for (const copy of copies)
    await replaceCopy(db, orgId, { copy, original: originals.get(copy.wamid as string) as DeliveryRow })
  return copies.length > 0
}

/** Marks messages as accepted by WhatsApp and stores their wamids. Then applies effects that arrived before that. */
export async function applyAccepted(
  write: OrgWrite,
  many: readonly ({ messageId: string } & Omit<Extract<DeliveryChange, { kind: 'accepted' }>, 'kind'>)[],
  { clock }: { clock: Clock },
): Promise<void> {
  const { db, orgId } = write
  const changes = new Map(many.map(({ messageId, ...change }) => [messageId, { kind: 'accepted', ...change } as const]))
  const changeFor = (row: DeliveryRow) => changes.get(row.id) as Extract<DeliveryChange, { kind: 'accepted' }>
  const find = () => findDeliveries.byId(db, [...changes.keys()], { orgId })
  const known = await find()
  const wamids = known.map(row => changeFor(row).wamid)
  let isNews = await dropCopies(db, orgId, known, changeFor)
  const merged: Awaited<ReturnType<typeof learnRecipient>>[number][] = []
  for (const row of known) {
    if (knowsRecipient(row, changeFor(row))) continue
    isNews = true
    merged.push(...(await learnRecipient(db, orgId, row, changeFor(row), clock)))
  }
  const rows = isNews ? await find() : known
  const waiting = await takeEffects(db, orgId, wamids)
  const statuses = Map.groupBy(
    waiting.filter((effect): effect is StatusEffect => effect.kind === 'status'),
    ({ wamid }) => wamid,
  )
  const moves = rows.map(
    row => [row, [changeFor(row), ...(statuses.get(changeFor(row).wamid) ?? []).map(deliveryChange)]] as const,
  )
  await settle(write, new Map(moves), isoNow(clock))
  await emitMerges(write, merged)
  await noteFree(
    write,
    rows.flatMap(row =>
      (statuses.get(changeFor(row).wamid) ?? []).flatMap(({ freeUntil }) =>
        freeUntil ? [{ conversationId: row.conversation_id, freeUntil }] : [],
      ),
    ),
  )
  const messageChanges = waiting.filter((effect): effect is MessageChange => effect.kind !== 'status')
  await applyMessageChanges(write, messageChanges, { clock })
}
