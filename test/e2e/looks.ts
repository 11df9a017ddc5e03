/** Every pair of language, theme and width occurs in one of these; all eight would find the same in twice the time. */
export const looks = [
  { language: 'es', theme: 'light', size: 'wide' },
  { language: 'es', theme: 'dark', size: 'narrow' },
  { language: 'en', theme: 'light', size: 'narrow' },
  { language: 'en', theme: 'dark', size: 'wide' },
] as const
