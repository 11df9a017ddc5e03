import { useQueryClient } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { NumberOfOrg } from '#shared/numbers/api.ts'
import { refreshConnection } from './queries.ts'

const AddNumberDialog = lazyDialog(() => import('./add-number-dialog.tsx'))

interface NumbersCardProps {
  /** Connected numbers in order. Empty if there is only one. */
  readonly numbers: readonly NumberOfOrg[]
  readonly chosen: string | undefined
  readonly mayChange: boolean
  /** The simulator has only one number. */
  readonly isSandbox: boolean
}

/** The organization's numbers in order. The first is the default for sending. */
export function NumbersCard({ numbers, chosen, mayChange, isSandbox }: NumbersCardProps) {
  const { t } = useTranslation('integrations')
  const org = useOrg()
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const [isAdding, setAdding] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [isMoving, move] = useTransition()
  const moveUp = (place: number) =>
    move(async () => {
      setFailure(undefined)
      const ids = numbers.map(({ id }) => id)
      const [up, down] = [ids[place], ids[place - 1]]
      if (up === undefined || down === undefined) return
      try {
        await api.numbers.orderNumbers({ body: { ids: ids.with(place - 1, up).with(place, down) } })
        await refreshConnection(client, org.slug)
      } catch (error) {
        setFailure(failureText(error))
      }
    })
  const nameOf = ({ label, displayPhone, phone }: NumberOfOrg) => label || displayPhone || `+${phone}`
  return (
    <section className="card" aria-labelledby="numbers">
      <div className="card-head">
        <div>
          <h2 id="numbers">{t('numbers.title')}</h2>
          <p className="connection-why">
            {t(numbers.length ? 'numbers.several' : isSandbox ? 'numbers.sandbox' : 'numbers.one')}
          </p>
        </div>
        {mayChange && !isSandbox ? (
          <button type="button" className="button profile-edit" onClick={() => setAdding(true)}>
            <Icon name="plus" />
            {t('addNumber')}
          </button>
        ) : null}
      </div>
      {numbers.length ? (
        <ol className="numbers">
          {numbers.map((number, place) => (
            <li key={number.id}>
              <div>
                <Link
                  className="numbers-name"
                  to={`?n=${number.id}`}
                  aria-current={number.id === chosen ? 'true' : undefined}
                >
                  {nameOf(number)}
                </Link>
                {place === 0 ? <span className="chip chip-green">{t('numbers.first')}</span> : null}
                <small>
                  {[number.label ? number.displayPhone : null, number.verifiedName].filter(Boolean).join(' · ')}
                </small>
              </div>
              {mayChange && place > 0 ? (
                <button
                  type="button"
                  className="button"
                  aria-disabled={isMoving}
                  aria-label={t('numbers.upOf', { name: nameOf(number) })}
                  onClick={() => isMoving || moveUp(place)}
                >
                  {t('numbers.up')}
                </button>
              ) : null}
            </li>
          ))}
        </ol>
      ) : null}
      {failure ? <Fault>{failure}</Fault> : null}
      {isSandbox ? null : <p className="standing-note">{t('numbers.cost')}</p>}
      {isAdding ? <AddNumberDialog onClose={() => setAdding(false)} /> : null}
    </section>
  )
}
