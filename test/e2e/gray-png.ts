import { crc32, deflateSync } from 'node:zlib'

const chunk = (kind: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), data])
  const sides = Buffer.alloc(8)
  sides.writeUInt32BE(data.length, 0)
  sides.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([sides.subarray(0, 4), body, sides.subarray(4)])
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const eightBitsOfGray = [8, 0, 0, 0, 0]

/** A plain grey image of the size of a photo. */
export const grayPng = ({ width, height }: { width: number; height: number }): Buffer => {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set(eightBitsOfGray, 8)
  // Each row begins with its filter type: 0, none.
  const rows = Buffer.alloc((width + 1) * height, 0x99)
  for (let row = 0; row < height; row += 1) rows[row * (width + 1)] = 0
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
