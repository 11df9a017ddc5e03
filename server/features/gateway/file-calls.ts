import type { MediaService } from '#server/messaging/media/fetcher.ts'
import { dispositionOf, filePolicy } from '#server/messaging/media/kind.ts'
import { readRange } from '#server/messaging/media/range.ts'
import type { ReceivedFiles } from '#server/messaging/media/received.ts'
import { type FormFiles, readForm } from '#server/platform/http/plugins/forms.ts'
import { asText } from '#server/whatsapp/scalars.ts'
import { metaCodes } from '#server/whatsapp/serving/codes.ts'
import { GraphError, paramError, unknownObject } from '#server/whatsapp/serving/graph-error.ts'
import { anyFileMaxBytes } from '#shared/media/sent-files.ts'
import type { GatewayCall } from './call.ts'
import type { GatewayFiles } from './files.ts'

interface FileCallParts {
  readonly publicUrl: string
  readonly files: Pick<ReceivedFiles, 'keep' | 'discard'> & FormFiles
  readonly gatewayFiles: Pick<GatewayFiles, 'find' | 'upload' | 'remove'>
  readonly media: Pick<MediaService, 'read'>
}

/** Below the version; Meta serves the bytes of files at a path of this name. */
export const bytesPath = 'whatsapp_business/attachments'

const notThere = () =>
  new GraphError({
    code: metaCodes.invalidParameter,
    message: 'The requested URL was not found or has expired.',
    status: 404,
  })

/** Uploads of programs, and the files of messages that they see. */
export function createFileCalls({ publicUrl, files, gatewayFiles, media }: FileCallParts) {
  return {
    /** `POST /{phone-number-id}/media` */
    async upload({ request, caller, query }: GatewayCall): Promise<unknown> {
      if (!request.isMultipart()) throw paramError('The parameter file is required.')
      const of = { orgId: caller.orgId, broughtBy: caller.keyId, files, maxBytes: anyFileMaxBytes }
      const { fields, file } = await readForm(request, of)
      try {
        if ((fields.messaging_product ?? query.messaging_product) !== 'whatsapp')
          throw paramError('The parameter messaging_product is required.')
        if (!file) throw paramError('The parameter file is required.')
        const isTyped = !['', 'application/octet-stream'].includes(file.mime)
        return await gatewayFiles.upload(caller, isTyped ? file : { ...file, mime: fields.type ?? file.mime })
      } finally {
        if (file) await files.discard(caller.orgId, file.id)
      }
    },

    /** `GET /{media-id}` */
    async info({ caller }: GatewayCall, id: string): Promise<unknown> {
      const file = await gatewayFiles.find(caller, id)
      if (!file) throw unknownObject('get', id)
      return {
        messaging_product: 'whatsapp',
        url: `${publicUrl}/graph/${bytesPath}/?mid=${id}`,
        mime_type: file.mime,
        sha256: file.sha256,
        file_size: file.size,
        id,
      }
    },

    /** `DELETE /{media-id}` */
    async remove({ caller }: GatewayCall, id: string): Promise<unknown> {
      if (!(await gatewayFiles.remove(caller, id))) throw unknownObject('delete', id)
      return { success: true }
    },

    /** The bytes at the address that `info` answers, or a range of them. */
    async bytes({ request, reply, caller, query }: GatewayCall): Promise<unknown> {
      const file = await gatewayFiles.find(caller, asText(query.mid) ?? '')
      if (!file) throw notThere()
      const { size } = file
      const range = readRange(request.headers.range, size)
      if (range === 'refused') {
        reply.header('content-range', `bytes */${size}`)
        throw new GraphError({ ...paramError('Invalid range').facts, status: 416 })
      }
      const stream = await media.read(file.path, range === 'whole' ? undefined : range)
      if (!stream) throw notThere()
      reply.headers({
        'content-security-policy': filePolicy,
        'x-content-type-options': 'nosniff',
        'accept-ranges': 'bytes',
        'content-disposition': dispositionOf(file),
      })
      const { start, end } = range === 'whole' ? { start: 0, end: size - 1 } : range
      if (range !== 'whole') reply.status(206).header('content-range', `bytes ${start}-${end}/${size}`)
      return reply
        .type(file.mime)
        .header('content-length', end - start + 1)
        .send(stream)
    },
  }
}
