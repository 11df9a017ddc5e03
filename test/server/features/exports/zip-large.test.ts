import t from 'tap'
import { zip } from '#server/features/exports/zip.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

/** The files of an archive according to its directory; only headers and the end were kept in memory. */
const listed = (end: Buffer): { name: string; offset: number }[] => {
  const at = end.indexOf(Buffer.from('PK\x06\x06', 'latin1'))
  const count = Number(end.readBigUInt64LE(at + 32))
  let entry = at - Number(end.readBigUInt64LE(at + 40))
  return Array.from({ length: count }, () => {
    const [nameLength, extraLength] = [28, 30].map(offset => end.readUInt16LE(entry + offset)) as [number, number]
    const short = end.readUInt32LE(entry + 42)
    const extra = entry + 46 + nameLength
    const offset = short < 0xffffffff ? short : Number(end.readBigUInt64LE(extra + 4))
    const name = end.toString('utf8', entry + 46, entry + 46 + nameLength)
    entry = extra + extraLength
    return { name, offset }
  })
}

t.test('an archive of more than four gigabytes has its files at the offsets of its directory', async t => {
  const gigabyte = 2 ** 30
  const block = Buffer.alloc(2 ** 24)
  const headers = new Map<number, string>()
  const large = async function* () {
    for (let n = 0; n < gigabyte / block.length; n += 1) yield block
  }
  const files = async function* () {
    for (const name of ['a', 'b', 'c', 'd']) yield { name, at: new Date(0), body: large(), isText: false }
    yield { name: 'beyond', at: new Date(0), body: [Buffer.from('más allá')], isText: true }
  }
  let length = 0
  let end = Buffer.alloc(0)
  for await (const chunk of zip(files())) {
    const sign = chunk.toString('latin1', 0, 4)
    if (sign === 'PK\x03\x04') headers.set(length, chunk.toString('utf8', 30))
    if (sign === 'PK\x01\x02' || end.length) end = Buffer.concat([end, chunk])
    length += chunk.length
  }
  t.ok(length > 4 * gigabyte)
  const entries = listed(end)
  t.same(
    entries.map(({ name, offset }) => [name, headers.get(offset)]),
    ['a', 'b', 'c', 'd', 'beyond'].map(name => [name, name]),
  )
  t.ok((entries.at(-1)?.offset ?? 0) > 2 ** 32)
  // The offset of the directory, as a reader finds it from the end.
  const record = end.length - 22 - 20 - 56
  t.equal(Number(end.readBigUInt64LE(record + 48)), length - end.length)
  t.equal(Number(end.readBigUInt64LE(end.length - 22 - 20 + 8)), length - 22 - 20 - 56)
  t.equal(end.readUInt32LE(end.length - 6), 0xffffffff)
})
