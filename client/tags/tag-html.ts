import { type Html, html } from '#client/ui/text/html.ts'
import type { Tag } from '#shared/tags/api.ts'

const mostShown = 3
/** Its dot, and what is left free beside it, in letters. */
const lettersAround = 3
/** A longer one is cut. */
const mostLetters = 16

/** How many there is room for: the first in any case, the last of them cut where it has to be. */
const countIn = (tags: readonly Tag[], letters: number): number => {
  let left = letters
  let count = 0
  for (const { label } of tags.slice(0, mostShown)) {
    left -= Math.min(label.length, mostLetters) + lettersAround
    if (count > 0 && left < 0) break
    count += 1
  }
  return count
}

/** The tags of a contact where there is little room: the first, at most three, and how many more. `letters`: of how much room. */
export const tagsHtml = (tags: readonly Tag[], letters = Number.POSITIVE_INFINITY): Html => {
  const count = countIn(tags, letters)
  const rest = tags.slice(count)
  const shown = tags
    .slice(0, count)
    .map(
      ({ label, hue }, place) =>
        html`<span class="tag hue-${hue}${place === count - 1 && ' tag-last'}" title="${label}" dir="auto">${label}</span>`,
    )
  if (!rest.length) return html`${shown}`
  return html`${shown}<span class="tag-rest" title="${rest.map(tag => tag.label).join(', ')}">+${rest.length}</span>`
}
