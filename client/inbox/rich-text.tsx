import { use } from 'react'
import { useMarkup } from '#client/ui/markup.tsx'
import { Beside } from './beside.ts'
import { formattedHtml } from './bubble-html.ts'

/** Words that came with a file, or in place of one. */
export const RichText = ({ text }: { text: string }) => (
  // biome-ignore lint/security/noDangerouslySetInnerHtml: made by `html`, which escapes
  <span className="bubble-text" dir="auto" dangerouslySetInnerHTML={useMarkup(formattedHtml(text, use(Beside)))} />
)
