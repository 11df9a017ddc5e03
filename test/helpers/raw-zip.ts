import { crc32, deflateRawSync } from 'node:zlib'

/** An archive by hand, with any name, attributes and sizes. */
export const rawZip = (
  entries: readonly { name: string; body?: Buffer; attributes?: number; flags?: number; size?: number }[],
): Buffer => {
  const locals: Buffer[] = []
  const centrals: Buffer[] = []
  let offset = 0
  for (const { name, body = Buffer.from('x'), attributes = 0, flags = 0x800, size = body.length } of entries) {
    const packed = deflateRawSync(body)
    const bytes = Buffer.from(name)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(flags, 2)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(crc32(body), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(size, 18)
    common.writeUInt16LE(bytes.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, bytes, packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(attributes, 6)
    tail.writeUInt32LE(offset, 10)
    const version = Buffer.from([20, 3])
    centrals.push(Buffer.concat([Buffer.from('PK\x01\x02', 'latin1'), version, common, tail, bytes]))
    locals.push(local)
    offset += local.length
  }
  const central = Buffer.concat(centrals)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, central, end])
}
