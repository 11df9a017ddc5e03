import { type Html, html } from '../text/html.ts'
import { drawings, type IconName } from './drawings.ts'

/**
 * An `Icon` inside markup made as text. It contains its drawing instead of a `<use>`, because a `<use>` adds a copy
 * with two boxes, and icons were two fifths of a row's layout.
 */
export const iconHtml = (name: IconName): Html =>
  html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${drawings[name]}"></path></svg>`
