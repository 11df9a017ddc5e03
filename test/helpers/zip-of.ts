import { zip } from '#server/features/exports/zip.ts'

/** An archive as a phone makes it. */
export const zipOf = async (files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> => {
  const chunks: Buffer[] = []
  const entries = async function* () {
    for (const [name, body] of Object.entries(files))
      yield { name, at: new Date('2026-01-01T00:00:00Z'), body: [Buffer.from(body as string)], isText: true }
  }
  for await (const chunk of zip(entries())) chunks.push(chunk)
  return Buffer.concat(chunks)
}
