/** A person's choices in the browser, by name. Without React, because the server reads the cookies too. */

export const themeChoices = ['light', 'dark', 'system'] as const
export type ThemeChoice = (typeof themeChoices)[number]
export const isThemeChoice = (value: unknown): value is ThemeChoice =>
  (themeChoices as readonly unknown[]).includes(value)

/** The name of the cookie and of the local storage key. */
export const themeKey = 'vite-ui-theme'
export const languageKey = 'i18next'
/** The browser's time zone, so that the server renders the same times. */
export const timeZoneKey = 'tz'
/** Cookie of the sidebar: `true` wide, `false` icons only. */
export const sidebarKey = 'sidebar:state'
/** The cookie that says whether the contact panel next to a chat is open (`true`). */
export const contactSideKey = 'contact:side'
/** Cookie of the fields that the table of contacts shows as columns (client/contacts/columns.ts). */
export const contactColumnsKey = 'contact:columns'
/** Cookie of the flow view: `outline` or `canvas`. */
export const flowViewKey = 'flow:view'
