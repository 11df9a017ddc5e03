/** A person's choices in the browser, by name. Without React, because the server reads the cookies too. */

export const themeChoices = ['light', 'dark', 'system'] as const
export type ThemeChoice = (typeof themeChoices)[number]
export const isThemeChoice = (value: unknown): value is ThemeChoice =>
  (themeChoices as readonly unknown[]).includes(value)

/** Cookie and local storage key. */
export const themeKey = 'vite-ui-theme'
export const languageKey = 'i18next'
/** The browser's time zone, so that the server renders the same times. */
export const timeZoneKey = 'tz'
/** Cookie of the sidebar: `true` wide, `false` icons only. */
export const sidebarKey = 'sidebar:state'
/** Cookie of the contact panel beside a chat: `true` open. */
export const contactSideKey = 'contact:side'
/** Cookie of the flow view: `outline` or `canvas`. */
export const flowViewKey = 'flow:view'
