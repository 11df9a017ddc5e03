import { inTransaction } from '#server/platform/db/db.ts'
import type { Backend } from '#server/wiring.ts'
import { monthUntil } from './month.ts'
import { chooseReaders } from './sends.ts'
import { type Members, plantPeople, setUpShop } from './set-up.ts'
import { type DemoPerson, type PersonKey, people } from './shop.ts'
import { interlude, justNow, prologue, story } from './story.ts'
import type { StoryClock } from './story-clock.ts'
import { createTeller } from './tell.ts'
import { createMonthTeller } from './tell-month.ts'
import { withAudit } from './with-audit.ts'

const dayMs = 86_400_000
/** The bakery has been at work for this long. */
export const monthMs = 30 * dayMs
/** The month ends where the story begins. */
const storyMs = 2 * dayMs
const interludeMs = 13 * dayMs

export interface DemoMember extends DemoPerson {
  readonly id: string
}

interface Story {
  /** The story ends at this time; the clock begins a month before. */
  readonly endMs: number
  /** False: only the last two days happen. */
  readonly hasMonth: boolean
}

/** The number's facts are read every six hours. Asking the simulator a hundred times would change nothing. */
const putOffReadings = ({ databases }: Backend, untilMs: number) =>
  inTransaction(databases, trx =>
    trx
      .updateTable('job')
      .set({ due_at: new Date(untilMs).toISOString() })
      .where('kind', '=', 'numbers.standing')
      .where('state', '=', 'scheduled')
      .execute(),
  )

/** Marks the notifications of the month as read for all members. */
const readNotifications = async ({ services }: Backend, members: Members) => {
  for (const member of Object.values(members)) {
    const [newest] = await services.notifications.list(member, { query: {} })
    if (newest) await services.notifications.markAllViewed(member, { body: { upTo: newest.id } })
  }
}

/** Long enough for ticks to be seen changing. */
const usualDelayMs = 400

/**
 * Fills an empty, listening installation: people directly, everything else by calls and webhooks as in production. The
 * clock moves from a month ago to now.
 */
export async function seedDemo(
  unrecorded: Backend,
  clock: StoryClock,
  { endMs, hasMonth }: Story,
): Promise<readonly DemoMember[]> {
  const backend = withAudit(unrecorded)
  const { members, teamIds } = await plantPeople(backend)
  const { luis } = members
  const { numbers, sandbox } = backend.services
  await numbers.connectSandbox(luis, {})
  await sandbox.configure(luis, { body: { statusDelayMs: 0 } })
  const tagIds = await setUpShop(backend, members, endMs)
  const teller = await createTeller({ backend, clock, members, teamIds, tagIds, endMs })
  await teller.settle()
  await chooseReaders(backend, members)
  await teller.tell(prologue)
  if (hasMonth) {
    const month = monthUntil(endMs - storyMs)
    const tellMonth = createMonthTeller({ backend, clock, members, teamIds, settle: teller.settle })
    const isBefore = ({ atMs }: { atMs: number }) => atMs < endMs - interludeMs
    await putOffReadings(backend, endMs)
    await tellMonth(month.filter(isBefore))
    await teller.tell(interlude)
    await putOffReadings(backend, endMs)
    await tellMonth(month.filter(event => !isBefore(event)))
  }
  await teller.tell(story)
  await readNotifications(backend, members)
  await teller.tell(justNow)
  await sandbox.configure(luis, { body: { statusDelayMs: usualDelayMs } })
  clock.catchUp()
  // The people who answered customers in the story need sessions, because members show when each was last active.
  for (const { userId } of [members.ana, members.martina, members.diego, members.carla])
    await backend.auth.issueSession(userId)
  backend.jobs.wake()
  return (Object.keys(people) as PersonKey[]).map(key => ({ ...people[key], id: members[key].userId }))
}
