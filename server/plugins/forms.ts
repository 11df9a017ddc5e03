import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ReceivedFile } from '#shared/contract.ts'
import { AppError } from '../errors.ts'
import { InvalidInput } from '../validate.ts'

/** What a form brought. Its fields are text, whatever they mean. */
export interface Form {
  readonly fields: Readonly<Record<string, string>>
  readonly file: ReceivedFile | undefined
}

/** Where files of forms go while their call is under way. */
export interface FormFiles {
  keep(orgId: string, body: AsyncIterable<Uint8Array>): Promise<Omit<ReceivedFile, 'name' | 'mime'>>
  /** Removes it, unless it was taken. */
  discard(orgId: string, id: string): Promise<void>
}

const mostFields = 40
const fieldBytes = 64 * 1024

/** Lets the routes of this scope take forms; whoever reads them says how large a file may be. */
export const acceptForms = (scope: FastifyInstance) => scope.register(multipart, { throwFileSizeLimit: false })

/** What the reader of forms says of one that ends in the middle, or is none. */
const unfinished = /multipart|form|boundary|part terminated|malformed|premature/i

const fault = (field: string, code: string) => new InvalidInput([{ field, code, params: {} }])

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
  { orgId, files, maxBytes }: { orgId: string; files: FormFiles; maxBytes: number },
): Promise<Form> {
  const fields: Record<string, string> = Object.create(null)
  let file: ReceivedFile | undefined
  const limits = { files: 1, fileSize: maxBytes + 1, fields: mostFields, fieldSize: fieldBytes, fieldNameSize: 100 }
  try {
    for await (const part of request.parts({ limits, preservePath: true } as Parameters<typeof request.parts>[0])) {
      if (part.type === 'field') {
        if (part.valueTruncated || part.fieldnameTruncated) throw fault(`body.${part.fieldname}`, 'maxLength')
        if (part.fieldname in fields) throw fault(`body.${part.fieldname}`, 'uniqueItems')
        fields[part.fieldname] = String(part.value)
      } else if (part.fieldname === 'file') {
        const kept = await files.keep(orgId, part.file)
        file = { ...kept, name: part.filename || null, mime: part.mimetype ?? '' }
      } else throw fault(`body.${part.fieldname}`, 'unknown')
    }
    return { fields: { ...fields }, file }
  } catch (error) {
    if (file) await files.discard(orgId, file.id)
    throw faultOf(error)
  }
}
