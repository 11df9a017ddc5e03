import t from 'tap'
import { startDemo } from '#server/cli/demo.ts'
import { defaultSlice, readSlice } from '#server/features/stats/segments/read-slice.ts'
import { seesAll } from '#server/identity/visibility/scope.ts'
import { inTransaction } from '#server/platform/db/db.ts'
import type { Member } from '#server/platform/http/actor.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

/** A Friday, half past eleven in Buenos Aires: the story's last hours are hours of business, whenever the test runs. */
const end = Date.parse('2026-11-27T14:30:00.000Z')
const startedAt = Date.now()
const clock: Clock = { now: () => new Date(end + Date.now() - startedAt) }

/**
 * The last two days of the demo (`server/cli/demo/story.ts`), counted by hand. Each message comes a minute after the one
 * before, unless the story says when. In minutes since the customer's first message:
 *
 * | Customer | First response | Waits | At the end |
 * |---|---|---|---|
 * | escuela | Ana, 1 | 1 1 | silent since Ana's second answer, after 3 |
 * | nicolas | Martina, 2 | 2 1 | archived after 4 |
 * | pruebas | Luis, 5 | 5 1 | archived after 8 |
 * | camila | Carla, 1 | 1, and 3 from the button to "Anotado" | silent for a day, after 5 |
 * | abril | Ana, 1 | 1 | waits since the voice message of yesterday |
 * | julia | Martina, 1 | 1 | answered |
 * | florencia | Carla, 1 | 1 1 | answered |
 * | hernan | | | waits for 5 hours, because Diego's answer failed; it is his |
 * | rocio | Martina, 1 after the flow gave her to people | 1 1 | answered |
 * | hotel | Luis, 1 | 1 | answered |
 * | cafe | Luis, 3 | 3, and 2 from "Dale" to "Sumadas" | answered |
 * | gaston | | | waits for 71; it is Carla's |
 * | tomas | Diego, 2 | 2, and 4 from the message he took back | answered |
 * | bruno | Diego, 1 | 1 1 | answered |
 * | ignacio | | | the flow has it |
 * | marta | | | waits for 16 |
 * | valentina | | | waits for 8 |
 * | lucia | Martina, 1 | 1 | waits for 1 |
 *
 * julia, rocio, cafe, ignacio, marta and lucia wrote after the bulk send, valentina after an advertisement.
 */
t.test("the bakery's figures are those counted by hand", async t => {
  t.setTimeout(fileTimeoutMs)
  const demo = await startDemo({ HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent' }, { clock, hasMonth: false })
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
      attended: 18,
      before: 0,
      firstResponse: [13, 1, 3, 2],
      waits: [22, 1, 3],
      waitingNow: 6,
      resolution: [4, 4, 8],
      containment: [null, 0],
      promise: [13, 0],
      unanswered: 0,
      unattended: [0, 1, 1, 2, 0],
      oldestHours: 5,
      heat: 18,
      days: 18,
      members: {
        'Ana Ferrari': [2, 2, 1],
        'Martina Sosa': [4, 4, 1],
        'Diego Acosta': [3, 2, 1],
        'Carla Benítez': [3, 2, 1],
        'Luis Ferrari': [3, 3, 3],
        nobody: [2, 0, null],
      },
      tags: {
        Reclamo: [2, 2, 1],
        Mayorista: [3, 3, 1],
        'Cliente frecuente': [5, 4, 1],
        'Pedido especial': [4, 3, 1],
        'Envío a domicilio': [3, 2, 1],
      },
    },
  )
  const origins = ['organic', 'ad', 'bulk'] as const
  const byOrigin = await Promise.all(origins.map(async origin => (await read({ origin })).figures.attended.value))
  t.same(byOrigin, [11, 1, 6])
})
