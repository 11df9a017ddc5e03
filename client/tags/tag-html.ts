import { iconHtml } from '#client/ui/pictures/icon-html.ts'
import { type Html, html } from '#client/ui/text/html.ts'
import type { Tag } from '#shared/tags/api.ts'

const maxShown = 3
/** Width of a tag's dot and gap, in letters. */
const lettersAround = 3
/** Longer labels are cut. */
const maxLetters = 16

/** The fewest characters of a shortened label. */
const leastLetters = 6

/** Returns the number of tags that fit. The last may be cut, but not to less than can be read. */
const countIn = (tags: readonly Tag[], letters: number): number => {
  const [first] = tags
  if (!first || letters < Math.min(first.label.length, leastLetters) + lettersAround) return 0
  let left = letters
  let count = 0
  for (const { label } of tags.slice(0, maxShown)) {
    left -= Math.min(label.length, maxLetters) + lettersAround
    if (count > 0 && left < 0) break
    count += 1
  }
  return count
}

/** A contact's tags in little space: at most three, and how many more, or only how many. `letters`: available width. */
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
  return html`${shown}<span class="tag-rest" title="${rest.map(tag => tag.label).join(', ')}">${count ? '+' : iconHtml('tag')}${rest.length}</span>`
}
