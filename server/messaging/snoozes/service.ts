import { requireChat } from '#server/messaging/conversations/chat.ts'
import { type ListRow, readTagsOfContacts } from '#server/messaging/conversations/rows/list-row-store.ts'
import { presentConversation } from '#server/messaging/conversations/shown/present.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { readFutureTime } from '#server/platform/time/future-time.ts'
import { snoozeLimits, type snoozesApi } from '#shared/inbox/snooze.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import type { SnoozeRequest, Snoozing } from './snoozing.ts'

interface SnoozesParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly writes: Pick<Writes, 'run'>
  readonly snoozing: Snoozing
}

/** @throws InvalidInput naming `body.until`, unless exactly one is given and it is a time ahead */
const requestOf = (
  clock: Clock,
  { until, ifNoAnswerWithinMs }: { until?: string; ifNoAnswerWithinMs?: number },
): SnoozeRequest => {
  const fault = (field: string, code: string) => new InvalidInput([{ field, code, params: {} }])
  if (ifNoAnswerWithinMs !== undefined) {
    if (until !== undefined) throw fault('body.ifNoAnswerWithinMs', 'invalid')
    return { until: new Date(clock.now().getTime() + ifNoAnswerWithinMs).toISOString(), ifNoAnswer: true }
  }
  if (until === undefined) throw fault('body.until', 'required')
  const at = readFutureTime(clock, until, { field: 'body.until', days: snoozeLimits.days })
  return { until: at, ifNoAnswer: false }
}

/** Snoozing one conversation. */
export function createSnoozes({ writes, clock, snoozing }: SnoozesParts): ServiceOf<typeof snoozesApi, OrgCaller> {
  const change = (
    caller: OrgCaller,
    phone: string,
    work: (write: OrgWrite, rows: readonly ListRow[]) => Promise<ListRow[]>,
  ) =>
    writes.run(caller.orgId, actorOf(caller), async write => {
      const row = await requireChat(write.db, caller, phone)
      const [after = row] = await work(write, [row])
      return presentConversation(
        after,
        (await readTagsOfContacts(write.db, write.orgId, [row.contact_id])).get(row.contact_id),
      )
    })

  return {
    snoozeChat: (caller, { params, body }) =>
      change(caller, params.phone, (write, rows) => snoozing.snooze(write, rows, requestOf(clock, body))),
    endSnooze: (caller, { params }) => change(caller, params.phone, (write, rows) => snoozing.end(write, rows)),
  }
}
