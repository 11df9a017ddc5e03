import { Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { fileNameMaxChars } from '#shared/media/sent-files.ts'
import { TemplateMedia } from './api.ts'
import { headerMedia } from './components.ts'

const FileParams = Type.Object(
  { id: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }) },
  { additionalProperties: false },
)

/** Its route is registered separately: the body is the file. */
export const uploadTemplateMedia = endpoint({
  method: 'POST',
  path: '/whatsapp/template/media',
  access: 'template:file',
  query: Type.Object(
    { name: Type.Optional(Type.String({ maxLength: fileNameMaxChars })) },
    { additionalProperties: false },
  ),
  bodyLimit: headerMedia.DOCUMENT.maxBytes,
  status: 201,
  reply: TemplateMedia,
  summary:
    'Uploads a file for a template header: JPEG or PNG up to 5 MB, MP4 up to 16 MB, PDF up to 100 MB. The type is read from its bytes.',
})

/** Its route is registered separately: the answer is the file. */
export const templateMediaFile = endpoint({
  method: 'GET',
  path: '/whatsapp/template/media/:id',
  access: 'chat:read',
  params: FileParams,
  reply: Type.String({ description: 'The bytes.' }),
  refuses: [404],
  summary: 'A file of a header, for members only.',
})
