import { memo, useMemo } from 'react'
import type { Html } from './html.ts'

/** The same object as long as the text is the same: React sets markup anew whenever it gets another one. */
export const useMarkup = ({ __html }: Html): Html => useMemo(() => ({ __html }), [__html])

/** Ready markup among elements; it makes no box of its own. */
export const Markup = memo(({ of }: { of: Html }) => (
  // biome-ignore lint/security/noDangerouslySetInnerHtml: made by `html`, which escapes
  <span className="markup" dangerouslySetInnerHTML={useMarkup(of)} />
))
