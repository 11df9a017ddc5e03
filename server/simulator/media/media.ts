import { createHmac } from 'node:crypto'
import type { Db } from '#server/platform/db/database.ts'
import { asObject, asText, type Json } from '#server/whatsapp/scalars.ts'
import { codeError, GraphError, paramError, unknownObject } from '#server/whatsapp/serving/graph-error.ts'
import { type MediaType, mediaTypes } from '#server/whatsapp/serving/validate-message.ts'
import type { SandboxNumber } from '../numbers/number-store.ts'
import {
  allMimes,
  bareMime,
  fitsKind,
  matchesBytes,
  maxBytesOf,
  mimeOfAddress,
  mimesOf,
  sniffMime,
} from './media-kinds.ts'
import { deleteMedia, findMedia, findMediaBytes, insertMedia, type StoredMedia } from './media-store.ts'

const dayMs = 86_400_000
/** Uploads are kept this long; customers' files a week. @see Meta, "Media" */
const uploadMs = 30 * dayMs
export const inboundMediaMs = 7 * dayMs
const addressSeconds = 300

const isMedia = (type: string): type is MediaType => (mediaTypes as readonly string[]).includes(type)

/** The part of a message that names its media. */
const mediaPart = (message: Json, type: string): Json | undefined =>
  isMedia(type) ? asObject(message[type]) : undefined

/** The error for a file that no longer exists or is of another kind; undefined: none. */
export async function findMediaError(
  db: Db,
  orgId: string,
  message: Json,
  type: string,
  nowMs: number,
): Promise<GraphError | undefined> {
  const id = asText(mediaPart(message, type)?.id)
  if (id === undefined || !isMedia(type)) return undefined
  const media = await findMedia(db, orgId, id, nowMs)
  if (!media)
    return paramError(
      'Invalid parameter',
      `Media ID ${id} does not exist or has expired. Please upload the media again.`,
    )
  if (fitsKind(type, media.mime)) return undefined
  return paramError(
    'Invalid parameter',
    `Media ID ${id} has the type ${media.mime}, which cannot be sent as ${type}. Please use one of ${mimesOf(type).join(', ')}.`,
  )
}

/**
 * Links are not fetched, so that nothing leaves the machine. An address with the extension of another kind fails like
 * at Meta; every other one is accepted. Returns the code, or undefined.
 */
export function linkFault(message: Json, type: string): string | undefined {
  const link = asText(mediaPart(message, type)?.link)
  if (link === undefined || !isMedia(type)) return undefined
  const mime = mimeOfAddress(new URL(link))
  return mime === undefined || fitsKind(type, mime) ? undefined : '131053'
}

export interface Upload {
  product: string | undefined
  file: { bytes: Buffer; mime: string; name: string | null; isCut: boolean } | undefined
}

/** Stores an uploaded file. @throws GraphError 100, 131053 */
export async function acceptUpload(db: Db, number: SandboxNumber, upload: Upload, nowMs: number): Promise<Json> {
  if (upload.product !== 'whatsapp') throw paramError('The parameter messaging_product is required.')
  const { file } = upload
  if (!file) throw paramError('The parameter file is required.')
  const mime = bareMime(file.mime)
  const received = sniffMime(file.bytes) ?? mime
  if (!allMimes.includes(mime) || (!allMimes.includes(received) && received !== mime))
    throw paramError(
      `Param file must be a file with one of the following types: ${allMimes.join(', ')}. Received file of type '${allMimes.includes(mime) ? received : mime}'.`,
    )
  if (!matchesBytes(mime, file.bytes))
    throw codeError(
      131053,
      `The file is not of the type ${mime} it was uploaded as. Received file of type '${received}'.`,
    )
  if (file.isCut || file.bytes.length > maxBytesOf(mime))
    throw codeError(131053, `File size is too big. Max file size supported: ${maxBytesOf(mime)} bytes.`)
  const { id } = await insertMedia(db, number.orgId, {
    mime,
    name: file.name,
    bytes: file.bytes,
    expiresMs: nowMs + uploadMs,
  })
  return { id }
}

const hashOf = (appSecret: string, id: string, expiry: number) =>
  `AT${createHmac('sha256', appSecret).update(`${id} ${expiry}`).digest('base64url')}`

export interface AddressFacts {
  origin: string
  appSecret: string
  nowMs: number
}

/** An address that is valid for five minutes of the simulator's time, and only with the token. */
function mediaAddress(number: SandboxNumber, id: string, { origin, appSecret, nowMs }: AddressFacts): string {
  const expiry = Math.floor((nowMs + number.agedMs) / 1000) + addressSeconds
  return `${origin}/whatsapp_business/attachments/?mid=${id}&ext=${expiry}&hash=${hashOf(appSecret, id, expiry)}`
}

/** @throws GraphError 100/33 for an unknown file, or one of another number */
export async function mediaInfo(
  db: Db,
  number: SandboxNumber,
  id: string,
  facts: AddressFacts & { phoneNumberId: string | undefined },
): Promise<Json> {
  const media = await requireMedia(db, number, id, 'get', facts)
  return {
    messaging_product: 'whatsapp',
    url: mediaAddress(number, id, facts),
    mime_type: media.mime,
    sha256: media.sha256,
    file_size: media.size,
    id,
  }
}

export async function deleteUploadedMedia(
  db: Db,
  number: SandboxNumber,
  id: string,
  facts: { phoneNumberId: string | undefined; nowMs: number },
): Promise<Json> {
  await requireMedia(db, number, id, 'delete', facts)
  await deleteMedia(db, number.orgId, id)
  return { success: true }
}

const requireMedia = async (
  db: Db,
  number: SandboxNumber,
  id: string,
  method: string,
  facts: { phoneNumberId: string | undefined; nowMs: number },
): Promise<StoredMedia> => {
  const isOthers = facts.phoneNumberId !== undefined && facts.phoneNumberId !== number.phoneNumberId
  const media = isOthers ? undefined : await findMedia(db, number.orgId, id, facts.nowMs)
  if (!media) throw unknownObject(method, id)
  return media
}

/** The bytes of an address; undefined: answer 404, whatever is wrong. */
export async function openMedia(
  db: Db,
  number: SandboxNumber,
  query: Json,
  { appSecret, nowMs }: { appSecret: string; nowMs: number },
): Promise<(StoredMedia & { bytes: Buffer }) | undefined> {
  const id = asText(query.mid)
  const expiry = Number(query.ext)
  if (id === undefined || !Number.isInteger(expiry) || query.hash !== hashOf(appSecret, id, expiry)) return undefined
  if (expiry * 1000 < nowMs + number.agedMs) return undefined
  return findMediaBytes(db, number.orgId, id, nowMs)
}

/** Meta's answer to an invalid address. */
export const noSuchFile = (): GraphError =>
  new GraphError({ code: 100, message: 'The requested URL was not found or has expired.', status: 404 })
