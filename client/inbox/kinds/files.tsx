import { MediaPart } from '../media/media-part.tsx'
import { RichText } from '../thread/bubble/rich-text.tsx'
import type { BodyProps } from './kind.ts'

/** A file with its caption. */
export const FileBody = (props: BodyProps) => {
  const { message } = props
  return (
    <>
      <MediaPart {...props} />
      {message.text && message.text !== message.media?.name ? <RichText text={message.text} /> : null}
    </>
  )
}
