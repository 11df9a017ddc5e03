/** The end of a default name: ` · 30 nov 2026, 14:05`. */
const moment = / · (?=\d{1,2} \S+ \d{4}(?:, \d\d:\d\d)?$)/

/** A send's name. The date at the end of a default name stands below it, without the dot between them. */
export function SendName({ name }: { readonly name: string }) {
  const [before, at] = name.split(moment)
  if (!before || !at) return name
  return (
    <>
      {before}
      <span className="bulk-name-dot"> · </span>
      <span className="bulk-moment">{at}</span>
    </>
  )
}
