import { useTranslation } from 'react-i18next'
import { type Clock, StartTime } from '../../start-time.tsx'

interface StartFieldsProps {
  /** Local time. Undefined: starts at once. Empty: not chosen yet. */
  readonly wall: string | undefined
  readonly clock: Clock
  readonly fault: string | undefined
  onChange(wall: string | undefined, clock: Clock): void
}

/** Lets a bulk send start at once, at the organization's time, or at each recipient's. */
export function StartFields({ wall, clock, fault, onChange }: StartFieldsProps) {
  const { t } = useTranslation('bulk-sends')
  return (
    <fieldset className="bulk-when">
      <legend>{t('when.title')}</legend>
      {(['now', 'ofOrg', 'ofEach'] as const).map(one => (
        <label key={one} className="bulk-check">
          <input
            type="radio"
            name="bulk-when"
            checked={wall === undefined ? one === 'now' : one === clock}
            onChange={() => (one === 'now' ? onChange(undefined, clock) : onChange(wall ?? '', one))}
          />
          <span>{t(`when.${one}`)}</span>
        </label>
      ))}
      {wall === undefined ? null : (
        <StartTime wall={wall} clock={clock} fault={fault} onChange={next => onChange(next, clock)} />
      )}
    </fieldset>
  )
}
