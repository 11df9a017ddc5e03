import { type Html, html } from '#client/ui/html.ts'
import type { Tag } from '#shared/tags.ts'

const mostShown = 3

/** The tags of a contact where there is little room: the first three, and how many more. */
export const tagsHtml = (tags: readonly Tag[]): Html => {
  const rest = tags.slice(mostShown)
  const shown = tags
    .slice(0, mostShown)
    .map(({ label, hue }) => html`<span class="tag hue-${hue}" title="${label}">${label}</span>`)
  if (!rest.length) return html`${shown}`
  return html`${shown}<span class="tag-rest" title="${rest.map(tag => tag.label).join(', ')}">+${rest.length}</span>`
}
