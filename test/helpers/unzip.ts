import { crc32, inflateRawSync } from 'node:zlib'

/** The files of an archive, read from its central directory; each checksum is verified. */
export const unzip = (archive: Buffer): Map<string, Buffer> => {
  const end = archive.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  const count = archive.readUInt16LE(end + 10)
  let at = archive.readUInt32LE(end + 16)
  const files = new Map<string, Buffer>()
  for (let n = 0; n < count; n += 1) {
    if (archive.readUInt32LE(at) !== 0x02014b50) throw new Error('the central directory has no further entry')
    const [crc, packed, size] = [16, 20, 24].map(offset => archive.readUInt32LE(at + offset)) as [
      number,
      number,
      number,
    ]
    const [nameLength, extraLength] = [28, 30].map(offset => archive.readUInt16LE(at + offset)) as [number, number]
    const local = archive.readUInt32LE(at + 42)
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength)
    if (archive.readUInt32LE(local) !== 0x04034b50) throw new Error(`${name} has no local header`)
    const begin = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
    const body = inflateRawSync(archive.subarray(begin, begin + packed))
    if (body.length !== size || crc32(body) !== crc) throw new Error(`${name} has the wrong size or checksum`)
    files.set(name, body)
    at += 46 + nameLength + extraLength
  }
  return files
}
