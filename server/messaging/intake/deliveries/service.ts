import type { Viewer } from '#server/identity/visibility/scope.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import type { CustomerIds, VendorStatus } from '#server/whatsapp/webhooks/inbound.ts'
import { readWebhook } from '#server/whatsapp/webhooks/webhook.ts'
import {
  type Delivery,
  type DeliveryState,
  type deliveriesApi,
  deliveriesPerPage,
  maxReplayed,
  rawMaxChars,
} from '#shared/deliveries/api.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import type { Derive } from '../derive.ts'
import { intakeErrors } from '../errors.ts'
import { findStored } from '../store.ts'
import { journalState } from '../table.ts'
import { nameOfItem } from '../takers.ts'
import { itemCustomer, nameCustomers } from './customers.ts'
import {
  type DeliveryRow,
  findDelivery,
  findRest,
  listDeliveries,
  listKept,
  listRaw,
  listSeqs,
  waitAgain,
} from './store.ts'

type OwnNumber = Awaited<ReturnType<DeliveriesParts['listNumbers']>>[number]

interface DeliveriesParts {
  readonly databases: Databases
  readonly writes: Pick<Writes, 'run'>
  readonly derive: Pick<Derive, 'wake'>
  /** Lists disconnected numbers too, because their earlier webhooks are still stored. */
  listNumbers(db: Db, orgId: string): Promise<readonly { readonly id: string; readonly phone: string }[]>
}

/** Larger webhooks are listed without their kinds. */
const parsedBytes = 16 * 1024
const kindsShown = 8
/** The first items may all be about the same customer. */
const sendersRead = 12

/** After every row. */
const lastSeq = Number.MAX_SAFE_INTEGER

interface Contents {
  readonly kinds: string[]
  readonly statuses: VendorStatus[]
  readonly senders: CustomerIds[]
}

/** The parts of a delivery that the list shows. */
const contentsOf = (raw: Buffer, at: string): Contents => {
  const statuses = new Set<VendorStatus>()
  const kinds = new Set<string>()
  const senders: CustomerIds[] = []
  try {
    for (const item of readWebhook(raw, at)) {
      if (kinds.size < kindsShown) kinds.add(nameOfItem(item))
      if (item.kind === 'status') statuses.add(item.status)
      const sender = itemCustomer(item)
      if (sender && senders.length < sendersRead) senders.push(sender)
      if (kinds.size === kindsShown && senders.length === sendersRead) break
    }
  } catch {
    // Not readable: it failed, and its note says why.
  }
  return { kinds: [...kinds], statuses: [...statuses], senders }
}

const stateOf = ({ state }: DeliveryRow, kept: readonly string[]): DeliveryState => {
  if (state === journalState.waiting) return 'waiting'
  if (state === journalState.parked) return 'failed'
  return kept.length ? 'notUnderstood' : 'applied'
}

/** Webhooks of an organization's numbers as they came. What came to the shared address of an installation is not among them. */
export function createDeliveries(parts: DeliveriesParts): ServiceOf<typeof deliveriesApi, OrgCaller> {
  const { databases, writes, derive, listNumbers } = parts

  const numbersOf = async (db: Db, orgId: string, number?: string): Promise<ReadonlyMap<string, OwnNumber>> => {
    const own = await listNumbers(db, orgId)
    return new Map(own.filter(({ phone }) => number === undefined || phone === number).map(one => [one.id, one]))
  }

  const present = async (
    db: Db,
    viewer: Viewer,
    rows: readonly DeliveryRow[],
    numbers: ReadonlyMap<string, OwnNumber>,
  ): Promise<Delivery[]> => {
    const seqs = rows.map(({ seq }) => seq)
    const kept = Map.groupBy(await listKept(db, viewer.orgId, seqs), ({ seq }) => seq)
    const raws = new Map((await listRaw(db, seqs, parsedBytes)).map(({ seq, raw }) => [seq, raw]))
    const contents = new Map<number, Contents>()
    for (const row of rows) {
      await databases.turn.giveWay()
      const raw = raws.get(row.seq)
      contents.set(row.seq, raw ? contentsOf(raw, row.received_at) : { kinds: [], statuses: [], senders: [] })
    }
    const customers = await nameCustomers(
      db,
      viewer,
      rows.map(({ seq, line }) => ({ seq, line, senders: contents.get(seq)?.senders ?? [] })),
    )
    return rows.map(row => {
      const names = (kept.get(row.seq) ?? []).map(({ name }) => name)
      return {
        id: String(row.seq),
        at: row.received_at,
        number: numbers.get(row.line)?.phone ?? null,
        state: stateOf(row, names),
        kinds: contents.get(row.seq)?.kinds ?? [],
        statuses: contents.get(row.seq)?.statuses ?? [],
        customers: customers.get(row.seq) ?? [],
        kept: names,
        bytes: row.bytes,
        attempts: row.attempts,
        note: row.note,
      }
    })
  }

  return {
    async list(caller, { query }) {
      const { orgId } = caller
      const db = databases.read
      const numbers = await numbersOf(db, orgId, query.number)
      const { rows, until } = await listDeliveries(db, orgId, {
        lines: [...numbers.keys()],
        before: query.before === undefined ? lastSeq : Number(query.before),
        wanted: query.state,
        limit: deliveriesPerPage,
      })
      return {
        items: await present(db, caller, rows, numbers),
        next: until === undefined || !numbers.size ? null : String(until),
      }
    },

    /** @throws INTAKE_DELIVERY_NOT_FOUND */
    async get(caller, { params }) {
      const { orgId } = caller
      const db = databases.read
      const numbers = await numbersOf(db, orgId)
      const row = await findDelivery(db, [...numbers.keys()], Number(params.id))
      const stored = row && (await findStored(db, row.seq))
      if (!row || !stored) throw intakeErrors.DELIVERY_NOT_FOUND()
      const [delivery] = await present(db, caller, [row], numbers)
      if (!delivery) throw intakeErrors.DELIVERY_NOT_FOUND()
      const raw = stored.raw.subarray(0, rawMaxChars * 4).toString('utf8')
      return { ...delivery, raw: raw.slice(0, rawMaxChars), isCut: raw.length > rawMaxChars }
    },

    /** @throws InvalidInput unless either ids or a range is named */
    async replay(caller, { body: { ids, from, to } }) {
      const isRange = from !== undefined && to !== undefined
      if (isRange === (ids !== undefined))
        throw new InvalidInput([{ field: isRange ? 'body.ids' : 'body.from', code: 'invalid', params: {} }])
      const { orgId } = caller
      const range = { from: Number(from), to: Number(to), limit: maxReplayed }
      const answer = await writes.run(orgId, actorOf(caller), async ({ db }) => {
        const lines = [...(await numbersOf(db, orgId)).keys()]
        const seqs = isRange ? await listSeqs(db, lines, range) : (ids ?? []).map(Number)
        const rest = isRange ? await findRest(db, range) : undefined
        const replayed = await waitAgain(db, orgId, lines, seqs)
        return { replayed, hasMore: rest !== undefined, next: rest === undefined ? null : String(rest) }
      })
      derive.wake()
      return answer
    },
  }
}
