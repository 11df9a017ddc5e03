import t from 'tap'
import { startDemo } from '#server/cli/demo.ts'
import { defaultSlice, readSlice } from '#server/features/stats/segments/reading.ts'
import { seesAll } from '#server/identity/visibility/scope.ts'
import { inTransaction } from '#server/platform/db/db.ts'
import type { Member } from '#server/platform/http/actor.ts'

/**
 * The story of the demo (`server/cli/demo-story.ts`), counted by hand. Each message of it comes a minute after the one
 * before. In minutes since the customer's first message:
 *
 * | Customer | First response | Waits | At the end |
 * |---|---|---|---|
 * | escuela | Ana, 1 | 1 | archived after 2 |
 * | nicolas | Martina, 2 | 2 | silent since Martina's answer, after 2 |
 * | abril | | | waits since yesterday, 23 hours |
 * | camila | Ana, 1 | 1, and 3 from the button to "Anotado" | answered |
 * | rocio | | | waits since the flow gave her to people, 3 hours |
 * | cafe | Luis, 3 | 3, and 2 from "Dale" to the next message of Luis | answered |
 * | tomas | Martina, 2 | 2 | waits since the sticker |
 * | julia | | | waits, 3 hours |
 * | bruno | | | waits, because Martina's answer failed; it is hers |
 * | anuncio | | | waits, 9 minutes |
 * | marta | | | waits, 8 minutes |
 * | lucia | Luis, 1 | 1 and 1 | answered |
 *
 * First responses: 1 1 1 2 2 3. Waits: 1 1 1 1 2 2 2 3 3. cafe, tomas, julia and bruno wrote after the first bulk
 * send, anuncio after an advertisement.
 */
t.test("the bakery's figures are those counted by hand", async t => {
  const demo = await startDemo({ HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent' })
  t.teardown(() => demo.close())
  const { databases, services } = demo.backend
  for (let found = 'slice'; found !== 'nothing'; )
    found = await inTransaction(databases, trx => readSlice(trx, defaultSlice))
  const org = await databases.read.selectFrom('organization').select(['id', 'slug']).executeTakeFirstOrThrow()
  const luis = demo.links.find(({ name }) => name === 'Luis Ferrari')
  const owner = {
    ...{ kind: 'person', userId: luis?.id, orgId: org.id, orgSlug: org.slug },
    ...{ role: 'owner', scope: seesAll, language: 'es' },
  } as unknown as Member
  const read = (query: object) => services.stats.getSummary(owner, { query })
  const summary = await read({ compare: true })
  const { figures, promise, unattended, members, tags } = summary
  /** The simulator's clock runs on while the story is told. */
  const minutes = (ms: number | null) => (ms === null ? null : Math.round(ms / 60_000))
  const times = ({ count, medianMs, p90Ms }: { count: number; medianMs: number | null; p90Ms: number | null }) => [
    count,
    minutes(medianMs),
    minutes(p90Ms),
  ]
  const bySomebody = (groups: typeof members) =>
    Object.fromEntries(
      groups.map(({ name, needsPerson, answered, firstResponse }) => [
        name ?? 'nobody',
        [needsPerson.count, answered.count, minutes(firstResponse.medianMs)],
      ]),
    )
  t.same(
    {
      attended: figures.attended.value,
      before: figures.attended.before,
      firstResponse: [...times(figures.firstResponse), minutes(figures.firstResponse.meanMs)],
      waits: times(figures.customerWait),
      waitingNow: figures.customerWait.waitingNow,
      resolution: times(figures.resolution),
      containment: [figures.containment.share, figures.containment.withBot],
      promise: [promise.kept.count, promise.late.count],
      unanswered: summary.unanswered.count,
      unattended: unattended.ages.map(({ count }) => count),
      oldestHours: Math.floor((unattended.oldestMs ?? 0) / 3_600_000),
      heat: summary.heat.flat().reduce((sum, count) => sum + count, 0),
      days: summary.days.reduce((sum, { attended }) => sum + attended, 0),
      members: bySomebody(members),
      tags: bySomebody(tags),
    },
    {
      attended: 12,
      before: 0,
      firstResponse: [6, 1, 3, 2],
      waits: [9, 2, 3],
      waitingNow: 7,
      resolution: [2, 2, 2],
      containment: [null, 0],
      promise: [6, 0],
      unanswered: 0,
      unattended: [0, 2, 0, 4, 0],
      oldestHours: 23,
      heat: 12,
      days: 12,
      members: {
        'Ana Ferrari': [2, 2, 1],
        'Martina Sosa': [3, 2, 2],
        'Luis Ferrari': [2, 2, 1],
        nobody: [5, 0, null],
      },
      tags: {
        Reclamo: [2, 1, 2],
        Mayorista: [2, 2, 1],
        'Cliente frecuente': [2, 2, 1],
        'Pedido especial': [2, 2, 1],
      },
    },
  )
  const origins = ['organic', 'ad', 'bulk'] as const
  const byOrigin = await Promise.all(origins.map(async origin => (await read({ origin })).figures.attended.value))
  t.same(byOrigin, [7, 1, 4])
})
