/** The date at the end of a default name: `30 nov 2026, 14:05`. */
const moment = /\d{1,2} \S+ \d{4}(, \d\d:\d\d)?$/

/** A send's name. The date at the end of a default name stays on one line. */
export function SendName({ name }: { readonly name: string }) {
  const at = name.search(moment)
  if (at < 1) return name
  return (
    <>
      {name.slice(0, at)}
      <span className="bulk-moment">{name.slice(at)}</span>
    </>
  )
}
