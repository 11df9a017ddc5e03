/** The date at the end of a name to which nobody gave one: `30 nov 2026, 14:05`. */
const moment = /\d{1,2} \S+ \d{4}(, \d\d:\d\d)?$/

/** A send's name. The date that an unnamed one ends with is not broken over two lines. */
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
