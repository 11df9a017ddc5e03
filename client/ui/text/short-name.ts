/** `Martina S.`: short, and told from another Martina. */
export const shortName = (name: string): string => {
  const [first = '', ...rest] = name.trim().split(/\s+/)
  const initial = rest.length ? [...(rest.at(-1) ?? '')][0] : undefined
  return initial ? `${first} ${initial}.` : first
}
