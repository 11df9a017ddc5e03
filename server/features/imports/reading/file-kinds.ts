import type { MessageType } from '#shared/inbox/message-kinds.ts'

/** The same limit as for files that people send here. */
export const fileMaxBytes = 100 * 1024 ** 2

/** The kind of a file, by its bytes. Among pictures, films and sounds, the name decides. */
export const fileKind = (found: string | undefined, hinted: string): { type: MessageType; mime: string } => {
  const mime = found ?? 'application/octet-stream'
  if (mime === 'image/webp' && hinted === 'sticker') return { type: 'sticker', mime }
  if (/^image\/(?:jpeg|png|webp|gif)$/.test(mime)) return { type: 'image', mime }
  if (/^video\/(?:mp4|3gpp)$/.test(mime)) return { type: 'video', mime }
  if (/^audio\//.test(mime)) return { type: hinted === 'voice' ? 'voice' : 'audio', mime }
  return { type: 'document', mime }
}
