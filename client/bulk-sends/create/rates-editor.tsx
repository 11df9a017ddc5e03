import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAnswer } from '#client/app/use-answer.ts'
import { useApi, useFailureText } from '#client/app/use-api.ts'
import { useWork } from '#client/app/use-work.ts'
import { rateCardQuery } from '#client/bulk-sends/queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { phoneCountries } from '#client/ui/text/countries.ts'
import { ratedCategories } from '#shared/bulk-sends/rates.ts'
import { isSameCard, newRate, priceOf, ratesOf, type TypedRate, typedFrom } from './rates-form.ts'
import '#client/bulk-sends/bulk-sends.css'

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

function RateLine({ rate, onChange, onRemove }: { rate: TypedRate; onChange(r: TypedRate): void; onRemove(): void }) {
  const { t } = useTranslation('bulk-sends')
  const countries = useCountries()
  const named = countries.find(([code]) => code === rate.country)?.[1] ?? rate.country
  return (
    <fieldset className="bulk-rate">
      <legend className="sr-only">{named}</legend>
      <div className="bulk-rate-country">
        <div className="field">
          <label htmlFor={`rate-${rate.key}`}>{t('rates.country')}</label>
          <select
            id={`rate-${rate.key}`}
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
        <button
          type="button"
          className="icon-button"
          aria-label={t('rates.removeOf', { country: named })}
          onClick={onRemove}
        >
          <Icon name="trash" />
        </button>
      </div>
      {ratedCategories.map(name => (
        <Field
          key={name}
          label={t(`rates.category.${name}`)}
          inputMode="decimal"
          autoComplete="off"
          maxLength={14}
          value={rate.prices[name]}
          {...(priceOf(rate.prices[name]) === undefined ? { fault: t('rates.notPrice') } : {})}
          onChange={({ target }) => onChange({ ...rate, prices: { ...rate.prices, [name]: target.value } })}
        />
      ))}
    </fieldset>
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
        // A line left empty is not stored. What was typed meanwhile stays.
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
        <Field
          type="date"
          label={t('rates.validFrom')}
          hint={t('rates.validFromHint')}
          value={validFrom}
          onChange={({ target }) => setValidFrom(target.value)}
        />
      </div>
      {rates.map(rate => (
        <RateLine
          key={rate.key}
          rate={rate}
          onChange={next => {
            setFault(undefined)
            setRates(rates.map(one => (one.key === rate.key ? next : one)))
          }}
          onRemove={() => setRates(rates.filter(one => one.key !== rate.key))}
        />
      ))}
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
