import type { ApiClient } from '#client/app/calls/api.ts'
import { isApiError } from '#client/app/calls/api-error.ts'
import { upload } from '#client/app/calls/upload.ts'
import type { ChatImport } from '#shared/imports/api.ts'
import type { ImportSource } from '#shared/imports/states.ts'

/** Small enough to be sent again when the line breaks. */
const pieceBytes = 8 * 1024 * 1024
const tries = 5
const waitMs = 2_000

interface Options {
  readonly org: string
  readonly api: ApiClient
  readonly source: ImportSource
  /** 0 to 100 */
  onPercent(percent: number): void
  /** With the id of the import, before its first byte is sent. */
  onBegun(id: string): void
}

const nameOf = (file: File) => file.name.slice(-255)

/** An upload of the same file that broke off, for example when the page was closed. */
const isBegun = ({ state, source, fileName, size, received }: ChatImport, file: File, wanted: ImportSource) =>
  state === 'uploading' && source === wanted && fileName === nameOf(file) && size === file.size && received > 0

/**
 * Uploads a file piece by piece, and has it looked through. A piece that breaks off is sent again from where the server
 * has it; so is a file that was begun earlier. Returns the id of the import. @throws ApiError
 */
export async function uploadFile(file: File, { org, api, source, onPercent, onBegun }: Options): Promise<string> {
  const begun = (await api.imports.listImports({})).items.find(one => isBegun(one, file, source))
  const one = begun ?? (await api.imports.create({ body: { source, options: { fileName: nameOf(file) } } }))
  const { id } = one
  onBegun(id)
  const path = one.uploadUrl.replace(/^\/api/, '')
  const total = file.size
  let start = one.received
  for (let failed = 0; start < total; ) {
    const piece = file.slice(start, Math.min(start + pieceBytes, total))
    const from = start
    const onPiece = (percent: number) => onPercent(Math.floor(((from + (piece.size * percent) / 100) / total) * 100))
    try {
      await upload(path, piece, {
        org,
        signal: new AbortController().signal,
        onPercent: onPiece,
        range: { start, total },
      })
      start += piece.size
      failed = 0
    } catch (error) {
      const isBroken = isApiError(error) && (error.status === 0 || error.status === 409)
      failed += 1
      if (!isBroken || failed === tries) throw error
      await new Promise(resolve => setTimeout(resolve, waitMs))
      start = (await api.imports.getImport({ params: { id } })).received
    }
  }
  await api.imports.preview({ params: { id } })
  return id
}
