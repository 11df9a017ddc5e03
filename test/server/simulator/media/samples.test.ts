import { inflateSync } from 'node:zlib'
import t from 'tap'
import { matchesBytes } from '#server/simulator/media/media-kinds.ts'
import { mediaSample } from '#server/simulator/media/samples.ts'

t.test('every sample is the kind of file it says, and small', async t => {
  for (const kind of ['image', 'sticker', 'document', 'voice', 'audio', 'video']) {
    const { mime, bytes } = mediaSample(kind)
    t.ok(matchesBytes(mime, bytes), `${kind} ${mime}`)
    t.ok(bytes.length > 30 && bytes.length < 6000, `${kind}: ${bytes.length} bytes`)
  }
})

t.test('the picture is complete', async t => {
  const { bytes } = mediaSample('image')
  const at = bytes.indexOf('IDAT')
  const size = bytes.readUInt32BE(at - 4)
  t.equal(inflateSync(bytes.subarray(at + 4, at + 4 + size)).length, 96 * (1 + 96 * 3))
})

t.test('the document points at its cross-reference table', async t => {
  const text = mediaSample('document').bytes.toString('latin1')
  const start = Number(/startxref\n(\d+)/.exec(text)?.[1])
  t.equal(text.slice(start, start + 4), 'xref')
  for (const [i, offset] of [...text.matchAll(/^(\d{10}) 00000 n/gm)].map(match => Number(match[1])).entries())
    t.ok(text.slice(offset).startsWith(`${i + 1} 0 obj`))
})

t.test('the sticker states its own length', async t => {
  const { bytes } = mediaSample('sticker')
  t.equal(bytes.readUInt32LE(4), bytes.length - 8)
})
