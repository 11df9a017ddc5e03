/**
 * Every pair of language, theme and width occurs in one of these. All eight combinations would take twice as long and
 * find the same.
 */
export const looks = [
  { language: 'es', theme: 'light', size: 'wide' },
  { language: 'es', theme: 'dark', size: 'narrow' },
  { language: 'en', theme: 'light', size: 'narrow' },
  { language: 'en', theme: 'dark', size: 'wide' },
] as const
