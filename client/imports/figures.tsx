import type { ReactNode } from 'react'

/** Undefined or null is left out. */
type Figure = { readonly label: string; readonly value: ReactNode; readonly note?: string | undefined } | null

/** Lists numbers with their labels: those found in a file, or those imported from it. */
export const Figures = ({ of }: { readonly of: readonly Figure[] }) => (
  <dl className="import-figures">
    {of.map(one =>
      one ? (
        <div key={one.label}>
          <dt dir="auto">{one.label}</dt>
          <dd>
            <b>{one.value}</b>
            {one.note ? <small dir="auto">{one.note}</small> : null}
          </dd>
        </div>
      ) : null,
    )}
  </dl>
)
