import { randomToken } from '#server/platform/crypto/random.ts'
import type { Db } from '#server/platform/db/database.ts'
import { asNumber, asObject, asText, type Json } from '#server/whatsapp/scalars.ts'
import { codeError, GraphError, paramError, unknownObject } from '#server/whatsapp/serving/graph-error.ts'
import type { TemplateComponent } from '#shared/templates/components.ts'
import { matchesBytes, maxBytesOf } from '../media/media-kinds.ts'
import { findUpload, findUploadByHandle, insertUpload, saveUploadHandle } from '../media/upload-store.ts'
import type { SandboxNumber } from '../numbers/number-store.ts'

const mimes = ['application/pdf', 'image/jpeg', 'image/jpg', 'image/png', 'video/mp4']
/** Larger pictures are only for templates. */
const pictureMaxBytes = 1_000_000
const mimeOf = (type: string) => (type === 'image/jpg' ? 'image/jpeg' : type)

/** Begins a resumable upload. @see Meta, "Graph API › Resumable upload" */
export async function openUpload(trx: Db, number: SandboxNumber, query: Json, now: number): Promise<Json> {
  const size = asNumber(query.file_length)
  const type = asText(query.file_type)?.toLowerCase()
  if (size === undefined || !Number.isInteger(size) || size < 1)
    throw paramError('The parameter file_length is required.')
  if (type === undefined || !mimes.includes(type))
    throw paramError(`Param file_type must be one of {${mimes.join(', ')}} - got "${type ?? ''}".`)
  if (size > maxBytesOf(mimeOf(type)))
    throw codeError(131053, `File size is too big. Max: ${maxBytesOf(mimeOf(type))} bytes.`)
  const id = `upload:${randomToken(24)}`
  await insertUpload(trx, number.orgId, { id, mime: mimeOf(type), size, createdMs: now })
  return { id: `${id}?sig=AR${randomToken(6)}` }
}

const requireUpload = async (db: Db, number: SandboxNumber, id: string, method: string) => {
  const upload = await findUpload(db, number.orgId, id)
  if (!upload) throw unknownObject(method, id)
  return upload
}

/** Receives the whole file, which must have the declared type; returns its handle. */
export async function fillUpload(
  trx: Db,
  number: SandboxNumber,
  id: string,
  bytes: Buffer,
  now: number,
): Promise<Json> {
  const upload = await requireUpload(trx, number, id, 'post')
  if (bytes.length !== upload.size)
    throw paramError(
      'The file is not as long as it was said to be.',
      `Expected ${upload.size} bytes, received ${bytes.length}.`,
    )
  if (!matchesBytes(upload.mime, bytes))
    throw codeError(131053, `The file is not of the type ${upload.mime} it was announced as.`)
  const handle = `4::${Buffer.from(upload.mime).toString('base64')}:AR${randomToken(18)}:e:${Math.floor(now / 1000)}:${number.appId}:1:AR${randomToken(6)}`
  const mayBePicture = upload.mime.startsWith('image/') && bytes.length <= pictureMaxBytes
  await saveUploadHandle(trx, number.orgId, id, { handle, bytes: mayBePicture ? bytes : null })
  return { h: handle }
}

export async function uploadState(db: Db, number: SandboxNumber, id: string): Promise<Json> {
  const upload = await requireUpload(db, number, id, 'get')
  return { id, file_offset: upload.handle === null ? 0 : upload.size }
}

const kinds: ReadonlyMap<unknown, RegExp> = new Map([
  ['IMAGE', /^image\//],
  ['VIDEO', /^video\//],
  ['DOCUMENT', /^application\/pdf$/],
])

const headersIn = (value: unknown): Record<string, unknown>[] => {
  const part = asObject(value)
  if (!part) return []
  if (part.type === 'HEADER') return kinds.has(part.format) ? [part as Record<string, unknown>] : []
  const inner = [part.cards, part.components].flatMap(list => (Array.isArray(list) ? list : []))
  return inner.flatMap(headersIn)
}

/** Replaces handles by the addresses of Meta's copies. @throws GraphError for an unknown handle */
export async function readyHandles(
  trx: Db,
  orgId: string,
  components: readonly TemplateComponent[],
): Promise<TemplateComponent[]> {
  const copy = structuredClone(components) as TemplateComponent[]
  for (const header of copy.flatMap(headersIn)) {
    const example = asObject(header.example) ?? {}
    const handle = String(Array.isArray(example.header_handle) ? example.header_handle[0] : '')
    if (/^https:\/\/scontent\.whatsapp\.net\//.test(handle)) continue
    const upload = await findUploadByHandle(trx, orgId, handle)
    if (!upload || !kinds.get(header.format)?.test(upload.mime))
      throw new GraphError({
        code: 100,
        message: 'Invalid parameter',
        subcode: 2388273,
        userTitle: 'Missing sample parameter in your template',
        userMessage: 'The uploaded file is not there, or not of the kind of the header.',
      })
    header.example = {
      ...example,
      header_handle: [`https://scontent.whatsapp.net/v/t61.29466-34/${upload.id.slice(7)}`],
    }
  }
  return copy
}
