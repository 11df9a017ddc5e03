/** The number tests go to stays in this browser: it is whoever sits before it. */
const keyOf = (slug: string) => `recado:test-number:${slug}`

/** Empty: none yet. */
export const readKeptNumber = (slug: string): string => {
  try {
    return localStorage.getItem(keyOf(slug)) ?? ''
  } catch {
    return '' // Storage is forbidden here.
  }
}

export const keepNumber = (slug: string, number: string): void => {
  try {
    localStorage.setItem(keyOf(slug), number)
  } catch {
    // Full or forbidden storage: it lives as long as the page.
  }
}
