import { memo, useMemo } from 'react'
import type { Html } from './html.ts'

/** Keeps the object while the text is the same, because React sets the markup again whenever the object changes. */
export const useMarkup = ({ __html }: Html): Html => useMemo(() => ({ __html }), [__html])

/** Markup among elements, without a box of its own. */
export const Markup = memo(({ of }: { of: Html }) => (
  // biome-ignore lint/security/noDangerouslySetInnerHtml: made by `html`, which escapes
  <span className="markup" dangerouslySetInnerHTML={useMarkup(of)} />
))
