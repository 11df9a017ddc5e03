import { type Html, html } from '../text/html.ts'
import { drawings, type IconName } from './drawings.ts'

export type { IconName }

const symbols = (Object.keys(drawings) as IconName[])
  .map(name => `<symbol id="i-${name}" viewBox="0 0 24 24"><path d="${drawings[name]}"/></symbol>`)
  .join('')

/**
 * All drawings, once per document; icons refer to them. A constant string, because rendering it would take ninety
 * elements.
 */
export const IconSprite = () => (
  // biome-ignore lint/security/noDangerouslySetInnerHtml: made of the constants above
  <svg className="icon-sprite" aria-hidden="true" width="0" height="0" dangerouslySetInnerHTML={{ __html: symbols }} />
)

/**
 * The content of each icon's `svg`, made once: as elements, React would visit it for each of a page's hundred icons.
 */
const uses = Object.fromEntries(
  (Object.keys(drawings) as IconName[]).map(name => [name, html`<use href="#i-${name}"></use>`]),
) as Record<IconName, Html>

/** Decoration: the text beside it or the control's label says what it means. */
export const Icon = ({ name, className }: { name: IconName; className?: string }) => (
  <svg
    className={className ? `icon ${className}` : 'icon'}
    aria-hidden="true"
    // biome-ignore lint/security/noDangerouslySetInnerHtml: made of the constants above
    dangerouslySetInnerHTML={uses[name]}
  />
)
