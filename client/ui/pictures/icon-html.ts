import { type Html, html } from '#client/ui/text/html.ts'
import { drawings, type IconName } from './drawings.ts'

/**
 * An `Icon` inside markup that is made as text. It has its drawing in it: what points at one gets a copy of its own of it
 * with two boxes around, and the icons were two fifths of what a row lays out.
 */
export const iconHtml = (name: IconName): Html =>
  html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${drawings[name]}"></path></svg>`
