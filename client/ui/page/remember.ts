const yearSeconds = 365 * 24 * 3600

/**
 * The cookie's name. On https, browsers accept a cookie with this prefix only over TLS, for this exact host and for all
 * its paths. On plain http the prefix is not allowed. @see server/identity/auth/sessions/cookie.ts
 */
const cookieName = (name: string): string => (location.protocol === 'https:' ? `__Host-${name}` : name)

export const setCookie = (name: string, value: string, lifeSeconds = yearSeconds): void => {
  const secure = location.protocol === 'https:' ? '; secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store API is not everywhere
  document.cookie = `${cookieName(name)}=${encodeURIComponent(value)}; path=/; max-age=${lifeSeconds}; samesite=lax${secure}`
}

/** The value of a cookie; undefined if it is missing or unreadable. */
export const cookieOf = (name: string): string | undefined => {
  const found = document.cookie.split('; ').find(part => part.startsWith(`${cookieName(name)}=`))
  try {
    return found && decodeURIComponent(found.slice(found.indexOf('=') + 1))
  } catch {
    // A `%` that we did not write.
    return undefined
  }
}

/** A choice in local storage; undefined if there is none or storage is forbidden. */
export const recall = (name: string): string | undefined => {
  try {
    return localStorage.getItem(name) ?? undefined
  } catch {
    return undefined
  }
}

/** Keeps a choice for this browser (local storage) and for the server's next page (cookie). */
export const remember = (name: string, value: string): void => {
  setCookie(name, value)
  try {
    localStorage.setItem(name, value)
  } catch {
    // Some private windows forbid storage; then only the cookie has it.
  }
}
