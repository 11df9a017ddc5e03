/** What the browser keeps of a person's choices, by name. Apart from React, because the server reads the cookies too. */

export const themeChoices = ['light', 'dark', 'system'] as const
export type ThemeChoice = (typeof themeChoices)[number]
export const isThemeChoice = (value: unknown): value is ThemeChoice =>
  (themeChoices as readonly unknown[]).includes(value)

/** Cookie and local storage of the choice. */
export const themeKey = 'vite-ui-theme'
export const languageKey = 'i18next'
/** The reader's time zone, told by the browser so that the server writes the same times. */
export const timeZoneKey = 'tz'
/** Cookie of the sidebar: `true` wide, `false` icons only. */
export const sidebarKey = 'sidebar:state'
/** Cookie of the contact beside a chat: `true` open. */
export const contactSideKey = 'contact:side'
/** Cookie of how flows are shown where there is room: `outline` or `canvas`. */
export const flowViewKey = 'flow:view'
