import { appErrors } from '#server/platform/http/errors.ts'
import { type FieldFault, InvalidInput } from '#server/platform/http/validate.ts'
import { type Outbound, OutboundFailure } from '#server/platform/outbound/outbound.ts'
import { bytesOfBase64 } from '#server/platform/text/base64.ts'
import type { ReceivedFile } from '#shared/kernel/contract.ts'
import { bytesText, jsonFileMaxBytes } from '#shared/media/sent-files.ts'
import type { ReceivedFiles } from './received.ts'

interface JsonFileParts {
  readonly files: Pick<ReceivedFiles, 'keep' | 'discard'>
  readonly outbound: Pick<Outbound, 'call'>
}

/** The caller who uploads the file. */
interface UploadedBy {
  readonly orgId: string
  /** Person or key. */
  readonly broughtBy: string
}

export type WithJsonFile = <T>(
  by: UploadedBy,
  file: string | undefined,
  work: (file: ReceivedFile | undefined) => Promise<T>,
) => Promise<T>

const fetchMs = 20_000
const maxRedirects = 3
/** A fetch may take 20 seconds and hold the whole file. One organization must not use all places. */
const maxFetches = { perOrg: 4, inAll: 32 }
const chunkBytes = 64 * 1024

const fault = (code: string, params: FieldFault['params'] = {}) =>
  new InvalidInput([{ field: 'body.file', code, params }])

const tooLarge = () =>
  new InvalidInput(
    [{ field: 'body.file', code: 'fileTooLargeHere', params: { limit: bytesText(jsonFileMaxBytes) } }],
    'APP_TOO_LARGE',
    413,
  )

interface Found {
  readonly bytes: Buffer
  readonly mime: string
  readonly name: string | null
}

/** `data:image/png;base64,…` contains its type. */
const dataAddress = /^data:([\w.+-]{1,100}\/[\w.+-]{1,100})?(?:;[\w=.-]{1,100}){0,5};base64,/

const ofText = (text: string): Found => {
  const [mark = '', mime = ''] = dataAddress.exec(text.slice(0, 1000)) ?? []
  const bytes = bytesOfBase64(text.slice(mark.length))
  if (!bytes) throw fault('fileText')
  if (bytes.length > jsonFileMaxBytes) throw tooLarge()
  return { bytes, mime, name: null }
}

/** The file name at the end of an address: `…/factura-0004.pdf`. */
const nameIn = (address: string): string | null => {
  const last = new URL(address).pathname.split('/').at(-1) ?? ''
  if (!/.\.[A-Za-z0-9]{1,8}$/.test(last)) return null
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}

/** Why a file could not be fetched, as an error of the field with its address. */
const faultOfFetch = ({ reason }: OutboundFailure): InvalidInput => {
  if (reason === 'tooLarge') return tooLarge()
  if (reason === 'address' || reason === 'private') return fault('fileAddress')
  return fault('fileNotFetched')
}

/**
 * The file in a JSON body: base64, or an https address from which it is fetched at once, from the public internet only.
 * It is removed after `work` unless that took it. @throws InvalidInput naming `file`; APP_TOO_MANY_REQUESTS while too
 * many are fetched
 */
export function createJsonFiles({ files, outbound }: JsonFileParts): WithJsonFile {
  const fetching = new Map<string, number>()
  let inAll = 0

  const fetchFrom = async (address: string): Promise<Found> => {
    let answer: Awaited<ReturnType<Outbound['call']>>
    try {
      answer = await outbound.call(address, { timeoutMs: fetchMs, maxBytes: jsonFileMaxBytes, maxRedirects })
    } catch (error) {
      if (error instanceof OutboundFailure) throw faultOfFetch(error)
      throw error
    }
    if (answer.status !== 200) throw fault('fileNotThere', { status: answer.status })
    return { bytes: answer.body, mime: answer.headers.get('content-type') ?? '', name: nameIn(address) }
  }

  const ofAddress = async (orgId: string, address: string): Promise<Found> => {
    const mine = fetching.get(orgId) ?? 0
    if (mine >= maxFetches.perOrg || inAll >= maxFetches.inAll)
      throw appErrors.TOO_MANY_REQUESTS({ retryAfterSeconds: 1 })
    fetching.set(orgId, mine + 1)
    inAll += 1
    try {
      return await fetchFrom(address)
    } finally {
      inAll -= 1
      const left = (fetching.get(orgId) ?? 1) - 1
      if (left) fetching.set(orgId, left)
      else fetching.delete(orgId)
    }
  }

  return async ({ orgId, broughtBy }, text, work) => {
    if (text === undefined || text === '') return work(undefined)
    const isAddress = /^https?:\/\//i.test(text)
    const { bytes, mime, name } = isAddress ? await ofAddress(orgId, text) : ofText(text)
    const kept = await files.keep(orgId, chunksOf(bytes), broughtBy)
    try {
      return await work({ ...kept, mime, name })
    } finally {
      await files.discard(orgId, kept.id)
    }
  }
}

async function* chunksOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += chunkBytes) yield bytes.subarray(from, from + chunkBytes)
}
