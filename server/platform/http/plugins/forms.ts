import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ReceivedFile } from '#shared/kernel/contract.ts'
import { AppError } from '../errors.ts'
import { InvalidInput } from '../validate.ts'

/** A received form. Its fields are text, whatever they mean. */
interface Form {
  readonly fields: Readonly<Record<string, string>>
  readonly file: ReceivedFile | undefined
}

/** Stores the files of forms during their call. */
export interface FormFiles {
  /** `broughtBy`: id of a person or a key. */
  keep(orgId: string, body: AsyncIterable<Uint8Array>, broughtBy: string): Promise<Omit<ReceivedFile, 'name' | 'mime'>>
  /** Deletes the file, unless the call took it over. */
  discard(orgId: string, id: string): Promise<void>
}

const maxFields = 40
const fieldBytes = 64 * 1024

/** Lets the routes of this scope accept forms. The reader of a form sets the file's size limit. */
export const acceptForms = (scope: FastifyInstance) => scope.register(multipart, { throwFileSizeLimit: false })

const json = 'application/json'

/** A part with type JSON is treated as a file and read here, because the form library would parse it at once. */
const isPartAFile = (_name: string | undefined, type: string | undefined, fileName: string | undefined) =>
  fileName !== undefined || type === 'application/octet-stream' || type?.startsWith(json) === true

/** Messages of the form library for a truncated or invalid form. */
const unfinished = /multipart|form|boundary|part terminated|malformed|premature/i

const fault = (field: string, code: string) => new InvalidInput([{ field, code, params: {} }])

/**
 * Browsers encode quotes and line breaks of a file name like this. @see HTML, "multipart/form-data encoding algorithm"
 */
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

/** Converts the form library's limits to our errors; other errors mean a truncated or invalid form. */
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
 * Reads a form to its end, with its file directly to disk. The caller must discard the file; on an error nothing is
 * left.
 * @throws InvalidInput if the form is truncated or too large
 */
export async function readForm(
  request: FastifyRequest,
  { orgId, broughtBy, files, maxBytes }: { orgId: string; broughtBy: string; files: FormFiles; maxBytes: number },
): Promise<Form> {
  const fields: Record<string, string> = Object.create(null)
  let file: ReceivedFile | undefined
  const sizes = { fileSize: maxBytes + 1, fieldSize: fieldBytes, fieldNameSize: 100 }
  const limits = { ...sizes, files: maxFields, fields: maxFields }
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
