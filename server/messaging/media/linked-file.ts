const mark = 'link '

/** What stands in the place of Meta's id for a file that lies at an address. */
export const linkedFile = (address: string): string => mark + address

/** Its address; undefined: it is one of Meta's by id. */
export const addressOfLinked = (providerId: string): string | undefined =>
  providerId.startsWith(mark) ? providerId.slice(mark.length) : undefined
