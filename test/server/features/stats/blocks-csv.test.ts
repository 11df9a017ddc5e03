import t from 'tap'
import { summaryTables } from '#server/features/stats/blocks/summary-tables.ts'
import type { SummaryBlockName } from '#shared/stats/blocks.ts'
import type { StatsSummary } from '#shared/stats/summary.ts'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { handClock } from '#test/helpers/clock.ts'
import { i18n } from '#test/helpers/i18n.ts'
import { aHistory, lines } from '#test/helpers/segment-history.ts'

const now = '2026-03-20T15:00:00.000Z'
const nowMs = Date.parse(now)
const minute = 60_000

const backend = await startBackend(t, { clock: handClock(now) })
const { databases } = backend
const owner = await aMember({ databases, name: '=cmd()' })
const { conversation, say, read } = aHistory(databases, owner.org.id)
for (let i = 0; i < 6; i += 1) {
  const { id } = await conversation()
  await say(id, nowMs - 60 * minute + i * minute, lines.customer)
  if (i < 5)
    await say(id, nowMs - 59.5 * minute + i * minute, {
      direction: 'out',
      authorKind: 'person',
      authorId: owner.user.id,
    })
}
await read(1_000)

const ask = async (path: string, language = 'es') => {
  const reply = await backend.inject({
    method: 'GET',
    url: `/api/stats/${path}`,
    headers: { cookie: owner.cookie, 'accept-language': language },
  })
  return { status: reply.statusCode, body: reply.json() }
}
const csvOf = async (name: SummaryBlockName, language?: string): Promise<string[]> =>
  (await ask(`blocks/${name}/report?days=7`, language)).body.csv.trimEnd().split('\r\n')

t.test('each block of the summary is a file with the figures of the page', async t => {
  const { body: summary } = await ask('summary?days=7')
  const words = { language: 'es', say: i18n.translator('es') } as const
  const say = (key: string, params?: Record<string, string | number>) => words.say(`stats:${key}`, params)
  for (const name of Object.keys(summaryTables) as SummaryBlockName[]) {
    const { columns, rows } = summaryTables[name](summary as StatsSummary, { language: 'es', say })
    const lines = await csvOf(name)
    t.equal(lines.length, rows.length + 1, name)
    for (const text of [...columns, ...rows.flat()])
      t.notMatch(String(text), /^(summary|export|stats)[.:]/, `${name} has words`)
    for (const row of rows) t.equal(row.length, columns.length, `${name}: a cell for each column`)
  }
})

t.test('figures say what they are of, and medians of few cases are left out', async t => {
  t.same(await csvOf('figures'), [
    'Medida;Valor;Unidad;Antes;Casos;9 de cada 10 en (s);Promedio (s)',
    'Conversaciones;6;;;;;',
    'Primera respuesta;30;s;;5;30;30',
    'Primera respuesta a tiempo;5;;;;;',
    'Primera respuesta tarde;0;;;;;',
    'Terminaron sin respuesta;0;;;;;',
    'Necesitaron persona;6;;;;;',
    'Espera del cliente;30;s;;5;30;30',
    'Esperan ahora;1;;;;;',
    'Resolución;;s;;0;;',
    'Contención del bot;;%;;0;;',
  ])
  t.same((await csvOf('responses', 'en')).slice(0, 3), [
    'Time,Conversations,%',
    'Up to 30 s,0,0',
    '30 s to 2 min,5,100',
  ])
  t.equal((await csvOf('unattended'))[4], 'De 1 h a 24 h;0;0')
  const heat = await csvOf('heat')
  t.equal(heat[5]?.split(';')[12], '6', 'Friday, 11 h')
  t.equal((await csvOf('days'))[7], '2026-03-20;6;30;30;;0;0')
  t.same((await csvOf('members')).slice(1), ["'=cmd();5;5;30;5;;5", 'Sin asignar;1;0;;0;;1'])
})

t.test('unknown blocks and days that cannot be are refused by their field', async t => {
  const unknown = await ask('blocks/nothing/report')
  t.match([unknown.status, unknown.body.details?.[0]?.field], [400, 'params.name'])
  const reversed = await ask('blocks/figures/report?from=2026-03-20&to=2026-03-10')
  t.match(reversed, { status: 400, body: { details: [{ field: 'query.to', message: 'Termina antes de empezar.' }] } })
  const foreign = await ask('blocks/figures/report?team=of-another-organization')
  t.match(foreign.body.csv, /Conversaciones;0;/)
})
