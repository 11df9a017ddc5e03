import type { FileForm } from '#shared/media/sent-files.ts'
import type { SendingFile } from './sending-files.ts'

type SentFile = Pick<SendingFile, 'phone' | 'clientKey' | 'file' | 'caption' | 'replyTo'> & { as?: FileForm }

/** A file message as a form. */
export const fileForm = ({ file, caption, phone, clientKey, replyTo, as }: SentFile): FormData => {
  const form = new FormData()
  const { name, type, size } = file
  // The file is last, so that the fields are known when it arrives.
  const fields = {
    type: 'file',
    numberTel: phone,
    isHuman: 'true',
    clientKey,
    name,
    mime_type: type,
    size: String(size),
    as,
  }
  for (const [field, value] of Object.entries(fields)) if (value) form.set(field, value)
  if (caption) form.set('message', caption)
  if (replyTo) form.set('replyToMessageId', replyTo.id)
  form.set('file', file)
  return form
}
