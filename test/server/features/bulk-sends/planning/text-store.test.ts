import fc from 'fast-check'
import t from 'tap'
import { piecesOf } from '#server/features/bulk-sends/planning/text-store.ts'
import type { BulkSend } from '#shared/bulk-sends/sends.ts'
import { phones, aBulkStage as stage } from '#test/helpers/bulk-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const ofPieces = 128 * 1024

t.test('a text is split into pieces, never inside a character', async t => {
  fc.assert(
    fc.property(fc.integer({ min: -3, max: 3 }), fc.constantFrom('a', 'ñ', '🥐'), (off, letter) => {
      const text = `${'x'.repeat(ofPieces + off)}${letter.repeat(5)}${'y'.repeat(ofPieces)}`
      const pieces = [...piecesOf(text)]
      t.equal(pieces.join(''), text)
      t.ok(pieces.every(piece => piece.isWellFormed() && piece.length <= ofPieces && piece.length > 0))
    }),
  )
  t.same([...piecesOf('')], [])
})

t.test('the request of a send is stored until its plan is written, whatever its length, and not longer', async t => {
  const { backend, create, report, recipients } = await stage(t)
  const { write } = backend.databases
  const kept = () => write.selectFrom('bulk_send_text').select(['part', 'place']).orderBy('place').execute()
  const few = phones(2)
  const padding = `${' '.repeat(ofPieces)}🥐\n`
  const send: BulkSend = await create({
    audience: {
      csv: { text: `telefono;nota\n${few[0]};${padding.repeat(2)}`, phoneColumn: 'telefono' },
      numbers: `${few[1]}\n${padding}`,
    },
  })
  const pieces = await kept()
  t.equal(pieces.filter(({ part }) => part === 'csv').length, 3)
  t.equal(pieces.filter(({ part }) => part === 'numbers').length, 2)
  await backend.settle()
  t.match(await report(send), { state: 'ready', counts: { planned: 2 } })
  const planned = (await recipients(send)).filter(({ state }) => state === 'planned')
  t.same(planned.map(({ given }) => given).sort(), few)
  t.same(await kept(), [])
})
