import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Field } from '#client/ui/controls/field.tsx'

const attendants = ['nobody', 'person', 'flow'] as const
const moments = ['now', 'inside', 'outside'] as const
/** The limit of the call. */
const maxTags = 30

/** The sender and time of a simulated message. */
export interface TriedCustomer {
  readonly attendedBy: (typeof attendants)[number]
  readonly hours: (typeof moments)[number]
  /** The hours as typed. Empty: the customer wrote a moment ago. */
  readonly silentHours: string
  /** The id of the tapped button. Empty: a written message. */
  readonly tappedId: string
  readonly tagIds: readonly string[]
  readonly isFirst: boolean
  readonly isFromAd: boolean
  readonly isAnswer: boolean
  /** The customer was in this flow before. */
  readonly wasHere: boolean
}

export const unknownCustomer: TriedCustomer = {
  attendedBy: 'nobody',
  hours: 'now',
  silentHours: '',
  tappedId: '',
  tagIds: [],
  isFirst: false,
  isFromAd: false,
  isAnswer: false,
  wasHere: false,
}

interface ChoiceProps<T extends string> {
  readonly label: string
  readonly value: T
  readonly options: readonly T[]
  textOf(option: T): string
  onChange(option: T): void
}

function Choice<T extends string>({ label, value, options, textOf, onChange }: ChoiceProps<T>) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={({ target }) => onChange(target.value as T)}>
        {options.map(one => (
          <option key={one} value={one} dir="auto">
            {textOf(one)}
          </option>
        ))}
      </select>
    </div>
  )
}

interface CheckProps {
  readonly children: ReactNode
  readonly isOn: boolean
  readonly isDisabled?: boolean
  onChange(isOn: boolean): void
}

const Check = ({ children, isOn, isDisabled = false, onChange }: CheckProps) => (
  <label className="flow-check">
    <input type="checkbox" checked={isOn} disabled={isDisabled} onChange={({ target }) => onChange(target.checked)} />
    <span>{children}</span>
  </label>
)

interface TryCustomerProps {
  readonly customer: TriedCustomer
  /** The tags' labels by id. */
  readonly tags: ReadonlyMap<string, string>
  onChange(customer: TriedCustomer): void
}

/** Everything besides the message that triggers and precedence depend on. */
export function TryCustomer({ customer, tags, onChange }: TryCustomerProps) {
  const { t } = useTranslation('flows')
  const change = (part: Partial<TriedCustomer>) => onChange({ ...customer, ...part })
  const { tagIds } = customer
  return (
    <>
      <div className="flow-try-checks">
        <Check isOn={customer.isFirst} onChange={isFirst => change({ isFirst })}>
          {t('try.isFirst')}
        </Check>
        <Check isOn={customer.isFromAd} onChange={isFromAd => change({ isFromAd })}>
          {t('try.fromAd')}
        </Check>
        <Check isOn={customer.isAnswer} onChange={isAnswer => change({ isAnswer })}>
          {t('try.answers')}
        </Check>
      </div>
      <details className="flow-try-more">
        <summary>{t('try.more')}</summary>
        <div className="flow-try-fields">
          <Choice
            label={t('try.attendedBy')}
            value={customer.attendedBy}
            options={attendants}
            textOf={one => t(`try.attended.${one}`)}
            onChange={attendedBy => change({ attendedBy })}
          />
          <Choice
            label={t('trigger.when')}
            value={customer.hours}
            options={moments}
            textOf={one => t(`try.when.${one}`)}
            onChange={hours => change({ hours })}
          />
          <Field
            label={t('try.silentHours')}
            type="number"
            min={0}
            max={100_000}
            value={customer.silentHours}
            onChange={({ target }) => change({ silentHours: target.value })}
          />
          <Field
            label={t('try.tapped')}
            autoComplete="off"
            maxLength={256}
            value={customer.tappedId}
            onChange={({ target }) => change({ tappedId: target.value })}
          />
          <div className="flow-try-checks">
            <Check isOn={customer.wasHere} onChange={wasHere => change({ wasHere })}>
              {t('try.wasHere')}
            </Check>
            {[...tags].map(([id, label]) => (
              <Check
                key={id}
                isOn={tagIds.includes(id)}
                isDisabled={tagIds.length >= maxTags && !tagIds.includes(id)}
                onChange={isOn => change({ tagIds: isOn ? [...tagIds, id] : tagIds.filter(one => one !== id) })}
              >
                {t('try.hasTag', { tag: label })}
              </Check>
            ))}
          </div>
        </div>
      </details>
    </>
  )
}
