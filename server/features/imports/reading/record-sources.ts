import type { ImportSource } from '#shared/imports/states.ts'
import { openArchiveSource } from '../archive/source.ts'
import { createOpenAddress, type FileSource, type OpenStream } from '../chatwoot/api/files.ts'
import { openChatwoot } from '../chatwoot/source.ts'
import type { Pieces } from '../creating/pieces.ts'
import type { StoredImport } from '../store.ts'
import { openWhaticket } from '../whaticket/source.ts'
import type { OpenRecords, RecordSource } from './record-source.ts'

/** Programs whose contacts, conversations and messages are read as records. WhatsApp's own exports are one chat each. */
const recordSources: Readonly<Record<Exclude<ImportSource, 'whatsapp'>, OpenRecords>> = {
  recado: openArchiveSource,
  chatwoot: openChatwoot,
  whaticket: openWhaticket,
}

interface OpenParts {
  readonly pieces: Pick<Pieces, 'open'>
  readonly openStream: OpenStream
  readTimeZone(orgId: string): Promise<string>
}

/** Opens the uploaded or fetched file of an import. @throws ImportStopped, ImportReleased */
export async function openRecords(
  { pieces, openStream, readTimeZone }: OpenParts,
  orgId: string,
  one: StoredImport,
  { signal, attempts }: Omit<FileSource, 'address'>,
): Promise<RecordSource> {
  const { source, mapping, remote } = one
  if (source === 'whatsapp') throw new Error('An export of WhatsApp is read as a chat')
  const timeZone = await readTimeZone(orgId)
  return recordSources[source](await pieces.open(orgId, one), {
    account: mapping.account,
    timeZone,
    signal,
    ...(remote ? { openAddress: createOpenAddress(openStream, { address: remote.address, signal, attempts }) } : {}),
  })
}
