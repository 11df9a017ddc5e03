/** A name as words alone: mail programs make links of what looks like an address, also in a subject. */
export const asWords = (name: string): string =>
  name
    .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
    .replace(/:\/\/|@/g, ' ')
    .replace(/(?<=[\p{L}\p{N}])[.\u3002\uff0e\uff61](?=\p{L}{2})/gu, ' ')
    .replace(/\d+(?:\.\d+){3}/g, digits => digits.replaceAll('.', ' '))
    .replace(/\s+/g, ' ')
    .trim()
