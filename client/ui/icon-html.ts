import { type Html, html } from './html.ts'
import type { IconName } from './icon.tsx'

/** An `Icon` inside markup that is made as text. */
export const iconHtml = (name: IconName): Html =>
  html`<svg class="icon" aria-hidden="true"><use href="#i-${name}"></use></svg>`
