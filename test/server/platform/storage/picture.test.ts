import t from 'tap'
import { pictureOf } from '#server/platform/storage/picture.ts'

/** A WebP file up to its dimensions: its first chunk, and 30 bytes at least. */
const webp = (chunk: string, facts: readonly (readonly [at: number, ...bytes: number[]])[]) => {
  const bytes = Buffer.alloc(40)
  bytes.write(`RIFF\x20\0\0\0WEBP${chunk}`, 'latin1')
  for (const [at, ...values] of facts) bytes.set(values, at)
  return bytes
}

t.test('the size of a WebP picture is read from each of its three forms', async t => {
  const found = { type: 'image/webp', extension: 'webp', width: 320, height: 200 }
  const frame = [23, 0x9d, 0x01, 0x2a] as const
  const size = [26, 320 & 0xff, 320 >> 8, 200, 0] as const
  const lossless = 319 | (199 << 14)
  const bits = [21, lossless & 0xff, (lossless >> 8) & 0xff, (lossless >> 16) & 0xff, lossless >>> 24] as const
  t.same(pictureOf(webp('VP8 ', [frame, size])), found)
  t.same(pictureOf(webp('VP8L', [[20, 0x2f], bits])), found)
  t.same(pictureOf(webp('VP8X', [[24, 319 & 0xff, 319 >> 8, 0, 199, 0, 0]])), found)
  t.equal(pictureOf(webp('VP8 ', [size])), undefined, 'no start of a frame')
  t.equal(pictureOf(webp('VP8L', [bits])), undefined, 'no signature')
  t.equal(pictureOf(webp('ANIM', [frame, size])), undefined, 'another chunk')
  t.equal(pictureOf(webp('VP8 ', [frame, [26, 0, 0, 200, 0]])), undefined, 'no width')
  t.equal(pictureOf(webp('VP8 ', [frame, size]).subarray(0, 29)), undefined, 'cut off')
})
