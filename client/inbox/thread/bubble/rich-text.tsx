import { use } from 'react'
import { useMarkup } from '#client/ui/text/markup.tsx'
import { directionOf } from '#client/ui/text/text-direction.ts'
import { Beside } from '../../beside.ts'
import { formattedHtml } from './bubble-html.ts'

/** Text of a file, or in place of one. */
export const RichText = ({ text }: { text: string }) => (
  <span
    className="bubble-text"
    dir={directionOf(text)}
    // biome-ignore lint/security/noDangerouslySetInnerHtml: made by `html`, which escapes
    dangerouslySetInnerHTML={useMarkup(formattedHtml(text, use(Beside)))}
  />
)
