const mark = 'link '

/** Stored in place of Meta's id for a file at a public address. */
export const linkedFile = (address: string): string => mark + address

/** The address. Undefined: it is an id of Meta's. */
export const addressOfLinked = (providerId: string): string | undefined =>
  providerId.startsWith(mark) ? providerId.slice(mark.length) : undefined
