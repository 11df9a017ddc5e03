import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useWork } from '#client/app/calls/use-work.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { DateField } from '#client/ui/controls/date-input.tsx'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { phoneCountries } from '#client/ui/text/countries.ts'
import { ratedCategories } from '#shared/bulk-sends/rates.ts'
import { rateCardQuery } from '../../queries.ts'
import { isSameCard, newRate, priceOf, ratesOf, type TypedRate, typedFrom } from './rates-form.ts'
import '../../bulk-sends.css'

interface RatesFormProps {
  /** Absent on a page of its own. */
  readonly onClose?: (() => void) | undefined
  /** Prices were changed. */
  onSaved(): void
}

/** Countries by name. `*` comes first and stands for all others. */
const useCountries = (): readonly (readonly [string, string])[] => {
  const { t, i18n } = useTranslation('bulk-sends')
  const names = new Intl.DisplayNames([i18n.language], { type: 'region' })
  const named = phoneCountries.map(code => [code, names.of(code) ?? code] as const)
  return [['*', t('rates.others')], ...named.toSorted((a, b) => a[1].localeCompare(b[1], i18n.language))]
}

interface RateRowProps {
  readonly rate: TypedRate
  onChange(rate: TypedRate): void
  onRemove(): void
}

function RateRow({ rate, onChange, onRemove }: RateRowProps) {
  const { t } = useTranslation('bulk-sends')
  const id = useId()
  const countries = useCountries()
  const named = countries.find(([code]) => code === rate.country)?.[1] ?? rate.country
  return (
    <tr>
      <th scope="row">
        <div className="field">
          <select
            aria-label={t('rates.country')}
            value={rate.country}
            onChange={({ target }) => onChange({ ...rate, country: target.value })}
          >
            {countries.map(([code, name]) => (
              <option key={code} value={code} dir="auto">
                {name}
              </option>
            ))}
          </select>
        </div>
      </th>
      {ratedCategories.map(name => {
        const isFaulty = priceOf(rate.prices[name]) === undefined
        return (
          <td key={name}>
            <div className="field">
              <label htmlFor={`${id}-${name}`}>
                {t(`rates.category.${name}`)}
                <span className="sr-only">, {named}</span>
              </label>
              <input
                id={`${id}-${name}`}
                inputMode="decimal"
                autoComplete="off"
                dir="auto"
                maxLength={14}
                value={rate.prices[name]}
                placeholder={(name === 'SERVICE' && rate.prices.UTILITY) || '—'}
                aria-invalid={isFaulty}
                aria-describedby={isFaulty ? `${id}-${name}-fault` : undefined}
                onChange={({ target }) => onChange({ ...rate, prices: { ...rate.prices, [name]: target.value } })}
              />
              {isFaulty ? <Fault id={`${id}-${name}-fault`}>{t('rates.notPrice')}</Fault> : null}
            </div>
          </td>
        )
      })}
      <td>
        <button
          type="button"
          className="icon-button"
          aria-label={t('rates.removeOf', { country: named })}
          onClick={onRemove}
        >
          <Icon name="trash" />
        </button>
      </td>
    </tr>
  )
}

/** Prices of messages by country and category. */
export function RatesForm({ onClose, onSaved }: RatesFormProps) {
  const { t, i18n } = useTranslation('bulk-sends')
  const { slug } = useOrg()
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const card = useAnswer(rateCardQuery(slug))
  const [currency, setCurrency] = useState(card.currency)
  const [validFrom, setValidFrom] = useState(card.validFrom)
  const [rates, setRates] = useState(() => typedFrom(card, i18n.language))
  const [added, setAdded] = useState(2)
  const [fault, setFault] = useState<string>()
  const [isSaving, save] = useWork()
  const isChanged = !isSameCard(card, { currency, validFrom, rates }, i18n.language)
  const submit = () =>
    save(async () => {
      const body = { currency: currency.trim().toUpperCase(), validFrom, rates: ratesOf(rates) }
      if (!body.rates) return setFault(t('rates.faulty'))
      try {
        const saved = await api.bulkSends.setRateCard({ body: { ...body, rates: body.rates } })
        client.setQueryData(rateCardQuery(slug).queryKey, saved)
        // Empty lines are not stored. Lines typed during the save stay.
        setRates(now => (now === rates ? typedFrom(saved, i18n.language) : now))
      } catch (error) {
        return setFault(failureText(error))
      }
      onSaved()
      onClose?.()
    })
  return (
    <DialogForm
      confirm={t('rates.save')}
      isWaiting={!isChanged}
      isWorking={isSaving}
      onSubmit={() => (isChanged ? submit() : onClose?.())}
      onCancel={onClose}
    >
      <p>{t('rates.why')}</p>
      <div className="bulk-pair">
        <Field
          label={t('rates.currency')}
          hint={t('rates.currencyHint')}
          autoComplete="off"
          maxLength={3}
          value={currency}
          onChange={({ target }) => setCurrency(target.value)}
        />
        <DateField
          required
          label={t('rates.validFrom')}
          hint={t('rates.validFromHint')}
          value={validFrom}
          onChange={setValidFrom}
        />
      </div>
      {rates.length ? (
        <div className="bulk-rates-room">
          <table className="bulk-rates">
            <caption className="sr-only">{t('rates.title')}</caption>
            <thead>
              <tr>
                <th scope="col">{t('rates.country')}</th>
                {ratedCategories.map(name => (
                  <th key={name} scope="col">
                    {t(`rates.category.${name}`)}
                  </th>
                ))}
                <td />
              </tr>
            </thead>
            <tbody>
              {rates.map(rate => (
                <RateRow
                  key={rate.key}
                  rate={rate}
                  onChange={next => {
                    setFault(undefined)
                    setRates(rates.map(one => (one.key === rate.key ? next : one)))
                  }}
                  onRemove={() => setRates(rates.filter(one => one.key !== rate.key))}
                />
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
      <button
        type="button"
        className="button"
        onClick={() => {
          const used = new Set(rates.map(({ country }) => country))
          setRates([...rates, newRate(phoneCountries.find(code => !used.has(code)) ?? '*', added)])
          setAdded(added + 1)
        }}
      >
        <Icon name="plus" />
        {t('rates.add')}
      </button>
      {fault ? <Fault>{fault}</Fault> : null}
    </DialogForm>
  )
}
