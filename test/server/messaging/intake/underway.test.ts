import t from 'tap'
import type { Part, Reading } from '#server/messaging/intake/row-reader.ts'
import { createUnderWay, type UnderWay } from '#server/messaging/intake/underway.ts'

const aRow = (line: string, place = 0) => ({
  ...{ seq: 1, line, connectionId: line, receivedAt: '', raw: null, attempts: 0, place },
})
const line = ({ row }: UnderWay) => row.line
const partOf = ({ row }: UnderWay, orgId: string, place: number): Part => ({
  reading: { row, place } as Reading,
  entries: [],
  byOrg: new Map([[orgId, []]]),
  untaken: [],
  items: 0,
})

t.test('organizations alternate, whatever their lines, and each organization’s first webhook goes first', async t => {
  const underWay = createUnderWay()
  const rows = ['a1', 'a2', 'b1'].map(line => ({ row: aRow(line) }))
  for (const one of rows) {
    underWay.add(one)
    underWay.opened(one, partOf(one, line(one).slice(0, 1), 10))
  }
  const turns = Array.from({ length: 4 }, () => underWay.next()?.row.line)
  t.same(turns, ['a1', 'b1', 'a1', 'b1'])
  underWay.remove(rows[0] as UnderWay)
  t.same(
    Array.from({ length: 2 }, () => underWay.next()?.row.line),
    ['a2', 'b1'],
  )
})

t.test('eight webhooks are open at once; another one stays only while it skips what is already derived', async t => {
  const underWay = createUnderWay()
  const all = Array.from({ length: 9 }, (_, i): UnderWay => ({ row: aRow(`${i}`, 100) }))
  for (const one of all) {
    underWay.add(one)
    underWay.opened(one, partOf(one, line(one), 150))
  }
  t.equal(all.filter(one => one.reading).length, 8)
  const last = all[8] as UnderWay
  underWay.opened(last, partOf(last, '8', 100))
  t.ok(last.reading, 'it would begin there again in each of its turns')
  underWay.opened(last, partOf(last, '8', 101))
  t.notOk(last.reading)
})
