import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Upload } from './media.ts'
import { maxUploadBytes } from './media-kinds.ts'

/** Lets this plugin's requests contain files. */
export const registerUploads = (app: FastifyInstance) =>
  app.register(multipart, {
    limits: { fileSize: maxUploadBytes, files: 1, fields: 10, fieldSize: 1000, parts: 12 },
    throwFileSizeLimit: false,
  })

/** The parts of an upload. The field `type` is used if the file has no content type. */
export async function readUpload(request: FastifyRequest): Promise<Upload> {
  if (!request.isMultipart()) return { product: undefined, file: undefined }
  const fields = new Map<string, string>()
  let file: Upload['file']
  for await (const part of request.parts()) {
    if (part.type === 'field') fields.set(part.fieldname, String(part.value))
    else if (part.fieldname !== 'file') part.file.resume()
    else
      file = {
        bytes: await part.toBuffer(),
        mime: part.mimetype,
        name: part.filename || null,
        isCut: part.file.truncated,
      }
  }
  const declared = fields.get('type')
  if (file && declared && ['', 'application/octet-stream'].includes(file.mime)) file = { ...file, mime: declared }
  const { messaging_product: product } = request.query as { messaging_product?: string }
  return { product: fields.get('messaging_product') ?? product, file }
}
