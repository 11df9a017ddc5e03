/** A one-page PDF that is only an image, as scanners write it; `filter` names the image's encoding. */
export function scannedPdf(picture: Uint8Array, facts: string): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 200] /Contents 4 0 R /Resources << /XObject << /P 5 0 R >> >> >>',
    '<< /Length 24 >>\nstream\n400 0 0 200 0 0 cm /P Do\nendstream',
  ]
  const parts = [Buffer.from('%PDF-1.7\n')]
  const places: number[] = []
  const length = () => parts.reduce((sum, part) => sum + part.length, 0)
  for (const [i, body] of objects.entries()) {
    places.push(length())
    parts.push(Buffer.from(`${i + 1} 0 obj\n${body}\nendobj\n`))
  }
  places.push(length())
  parts.push(
    Buffer.from(`5 0 obj\n<< /Type /XObject /Subtype /Image ${facts} /Length ${picture.length} >>\nstream\n`),
    Buffer.from(picture),
    Buffer.from('\nendstream\nendobj\n'),
  )
  const table = length()
  const rows = places.map(place => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  parts.push(
    Buffer.from(
      `xref\n0 6\n0000000000 65535 f \n${rows}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`,
    ),
  )
  return Buffer.concat(parts)
}

const bytesOf = (bits: string): Uint8Array =>
  Uint8Array.from(bits.padEnd(Math.ceil(bits.length / 8) * 8, '0').match(/.{8}/g) ?? [], byte =>
    Number.parseInt(byte, 2),
  )

/** Fax encoding (ITU-T T.6): a line of 32 black pixels, seven like it, and the end. */
export const blackFax = {
  picture: bytesOf(`001${'00110101'}${'000001101010'}${'11'.repeat(7)}${'000000000001'.repeat(2)}`),
  facts:
    '/Width 32 /Height 8 /ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns 32 /Rows 8 >>',
}
