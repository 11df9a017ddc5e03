import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'

/** Rows that a card shows at first. */
const rowsShown = 4

/** The rows of a card: the first ones, and all of them once somebody asks. */
export function Rows<T>({ items, children }: { readonly items: readonly T[]; children(item: T): ReactNode }) {
  const { t } = useTranslation('integrations')
  const [isWhole, setWhole] = useState(false)
  if (!items.length) return null
  const shown = isWhole ? items : items.slice(0, rowsShown)
  return (
    <>
      <ul className="integration-rows">{shown.map(children)}</ul>
      {shown.length < items.length ? (
        <div className="integration-more">
          <button type="button" className="link" onClick={() => setWhole(true)}>
            {t('showAll', { count: items.length })}
          </button>
        </div>
      ) : null}
    </>
  )
}
