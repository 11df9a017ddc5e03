import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ReceivedFile } from '#shared/kernel/contract.ts'
import { AppError } from '../errors.ts'
import { InvalidInput } from '../validate.ts'

/** What a form brought. Its fields are text, whatever they mean. */
export interface Form {
  readonly fields: Readonly<Record<string, string>>
  readonly file: ReceivedFile | undefined
}

/** Where files of forms go while their call is under way. */
export interface FormFiles {
  /** `broughtBy`: a person or a key. */
  keep(orgId: string, body: AsyncIterable<Uint8Array>, broughtBy: string): Promise<Omit<ReceivedFile, 'name' | 'mime'>>
  /** Removes it, unless it was taken. */
  discard(orgId: string, id: string): Promise<void>
}

const mostFields = 40
const fieldBytes = 64 * 1024

/** Lets the routes of this scope take forms; whoever reads them says how large a file may be. */
export const acceptForms = (scope: FastifyInstance) => scope.register(multipart, { throwFileSizeLimit: false })

const json = 'application/json'

/** A part that calls itself JSON, as a field or as a file, is read here: what reads forms would parse it at once. */
const isPartAFile = (_name: string | undefined, type: string | undefined, fileName: string | undefined) =>
  fileName !== undefined || type === 'application/octet-stream' || type?.startsWith(json) === true

/** What the reader of forms says of one that ends in the middle, or is none. */
const unfinished = /multipart|form|boundary|part terminated|malformed|premature/i

const fault = (field: string, code: string) => new InvalidInput([{ field, code, params: {} }])

/** Browsers write quotes and line ends of a name so. @see HTML, "multipart/form-data encoding algorithm" */
const nameIn = (written: string | undefined): string | null =>
  (written ?? '').replace(/%22/g, '"').replace(/(?:%0D|%0A)+/gi, ' ') || null

const textOf = async (field: string, body: AsyncIterable<Uint8Array>): Promise<string> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > fieldBytes) throw fault(field, 'maxLength')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Limits of the form itself, in our words; anything else is a form that ends in the middle, or none. */
const faultOf = (error: unknown): Error => {
  if (error instanceof AppError) return error
  const code = String((error as { code?: unknown })?.code)
  if (code === 'FST_FILES_LIMIT') return fault('body.file', 'fileMany')
  if (code === 'FST_FIELDS_LIMIT' || code === 'FST_PARTS_LIMIT') return fault('body', 'maxItems')
  if (code.startsWith('FST_') || unfinished.test(String((error as Error)?.message)))
    return fault('body.file', 'fileCut')
  return error as Error
}

/**
 * Reads a form to its end, its file straight to disk. What it brought is the caller's to discard; when it throws,
 * nothing is left.
 * @throws InvalidInput for a form that was cut off, or is larger than it may be
 */
export async function readForm(
  request: FastifyRequest,
  { orgId, broughtBy, files, maxBytes }: { orgId: string; broughtBy: string; files: FormFiles; maxBytes: number },
): Promise<Form> {
  const fields: Record<string, string> = Object.create(null)
  let file: ReceivedFile | undefined
  const sizes = { fileSize: maxBytes + 1, fieldSize: fieldBytes, fieldNameSize: 100 }
  const limits = { ...sizes, files: mostFields, fields: mostFields }
  const add = (name: string, value: string) => {
    if (name in fields) throw fault(`body.${name}`, 'uniqueItems')
    fields[name] = value
  }
  try {
    const options = { limits, preservePath: true, isPartAFile } as Parameters<typeof request.parts>[0]
    for await (const part of request.parts(options)) {
      const field = `body.${part.fieldname}`
      if (part.type === 'field') {
        if (part.valueTruncated || part.fieldnameTruncated) throw fault(field, 'maxLength')
        add(part.fieldname, String(part.value))
      } else if (part.fieldname === 'file') {
        if (file) throw fault(field, 'fileMany')
        const kept = await files.keep(orgId, part.file, broughtBy)
        file = { ...kept, name: nameIn(part.filename), mime: part.mimetype ?? '' }
      } else if (part.mimetype?.startsWith(json)) add(part.fieldname, await textOf(field, part.file))
      else throw fault(field, 'unknown')
    }
    return { fields: { ...fields }, file }
  } catch (error) {
    if (file) await files.discard(orgId, file.id)
    throw faultOf(error)
  }
}
