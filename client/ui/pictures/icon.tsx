import { type Html, html } from '#client/ui/text/html.ts'
import { drawings, type IconName } from './drawings.ts'

export type { IconName }

const symbols = (Object.keys(drawings) as IconName[])
  .map(name => `<symbol id="i-${name}" viewBox="0 0 24 24"><path d="${drawings[name]}"/></symbol>`)
  .join('')

/** Once per document: rows then only point at a drawing. A constant string, since rendering it would cost ninety elements. */
export const IconSprite = () => (
  // biome-ignore lint/security/noDangerouslySetInnerHtml: made of the constants above
  <svg className="icon-sprite" aria-hidden="true" width="0" height="0" dangerouslySetInnerHTML={{ __html: symbols }} />
)

/** What stands inside an icon's `svg`, made once: as an element it would be walked for each of a page's hundred icons. */
const uses = Object.fromEntries(
  (Object.keys(drawings) as IconName[]).map(name => [name, html`<use href="#i-${name}"></use>`]),
) as Record<IconName, Html>

/** Decoration: the words beside it or the control's label say what it means. */
export const Icon = ({ name, className }: { name: IconName; className?: string }) => (
  <svg
    className={className ? `icon ${className}` : 'icon'}
    aria-hidden="true"
    // biome-ignore lint/security/noDangerouslySetInnerHtml: made of the constants above
    dangerouslySetInnerHTML={uses[name]}
  />
)
