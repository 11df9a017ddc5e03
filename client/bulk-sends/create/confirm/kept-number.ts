/** The number for tests is stored in this browser, because it belongs to the person. */
const keyOf = (slug: string) => `recado:test-number:${slug}`

/** Empty: none yet. */
export const readKeptNumber = (slug: string): string => {
  try {
    return localStorage.getItem(keyOf(slug)) ?? ''
  } catch {
    return '' // Storage is forbidden.
  }
}

export const keepNumber = (slug: string, number: string): void => {
  try {
    localStorage.setItem(keyOf(slug), number)
  } catch {
    // Storage is full or forbidden: kept as long as the page.
  }
}
