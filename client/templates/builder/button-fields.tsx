import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Menu, MenuItem } from '#client/ui/overlays/menu.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { type ButtonType, templateLimits as limits } from '#shared/templates/components.ts'
import { variableNames } from '#shared/templates/variables.ts'
import { Mark } from '../mark.tsx'
import { CountedField, GroupFault } from './counted-field.tsx'
import { type ButtonForm, newButton } from './form.ts'

interface ButtonFieldsProps {
  readonly buttons: readonly ButtonForm[]
  /** `BUTTONS` or `CAROUSEL.cards.0.BUTTONS`. */
  readonly field: string
  /** Allowed types. */
  readonly types: readonly Exclude<ButtonType, 'OTP'>[]
  readonly max: number
  onChange(buttons: readonly ButtonForm[]): void
}

const moved = <T,>(list: readonly T[], from: number, to: number): T[] => {
  const next = [...list]
  const [one] = next.splice(from, 1)
  if (one !== undefined) next.splice(to, 0, one)
  return next
}

interface OneProps {
  readonly button: ButtonForm
  readonly field: string
  onChange(button: ButtonForm): void
}

function OneButton({ button, field, onChange }: OneProps) {
  const { t } = useTranslation('templates')
  const { type, text, url, phone, example, flowId, rest } = button
  const change = (part: Partial<ButtonForm>) => onChange({ ...button, ...part })
  return (
    <div className="form-button-fields">
      {type === 'COPY_CODE' ? (
        <CountedField
          label={t('form.copyCode')}
          field={`${field}.example`}
          value={example}
          max={limits.copyCode}
          isCode
          hint={t('form.copyCodeHint')}
          onChange={next => change({ example: next })}
        />
      ) : (
        <CountedField
          label={t('form.buttonText')}
          field={`${field}.text`}
          value={text}
          max={limits.buttonText}
          onChange={next => change({ text: next })}
        />
      )}
      {type === 'URL' ? (
        <>
          <CountedField
            label={t('form.url')}
            field={`${field}.url`}
            value={url}
            inputMode="url"
            isCode
            hint={t('form.urlHint')}
            suffix={
              variableNames(url).length ? null : (
                <button type="button" className="link" onClick={() => change({ url: `${url}{{1}}` })}>
                  <Icon name="plus" />
                  {t('form.variable')}
                </button>
              )
            }
            onChange={next => change({ url: next })}
          />
          {variableNames(url).length ? (
            <CountedField
              label={t('form.urlExample')}
              field={`${field}.example.0`}
              value={example}
              isCode
              inputMode="url"
              onChange={next => change({ example: next })}
            />
          ) : null}
        </>
      ) : null}
      {type === 'PHONE_NUMBER' ? (
        <CountedField
          label={t('form.phone')}
          field={`${field}.phone_number`}
          value={phone}
          max={limits.phoneNumber}
          inputMode="tel"
          isCode
          placeholder="+54 11 5555 0100"
          onChange={next => change({ phone: next })}
        />
      ) : null}
      {type === 'FLOW' && !rest.flow_name && !rest.flow_json ? (
        <CountedField
          label={t('form.flowId')}
          field={`${field}.flow_id`}
          value={flowId}
          isCode
          hint={t('form.flowHint')}
          onChange={next => change({ flowId: next })}
        />
      ) : null}
      <GroupFault field={`${field}.type`} />
    </div>
  )
}

/** A template's buttons: added, moved and removed. */
export function ButtonFields({ buttons, field, types, max, onChange }: ButtonFieldsProps) {
  const { t } = useTranslation('templates')
  const list = useRef<HTMLOListElement>(null)
  const add = (type: ButtonType) => {
    onChange([...buttons, newButton(type)])
    // After the menu has returned the focus.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => list.current?.lastElementChild?.querySelector('input')?.focus()),
    )
  }
  return (
    <div className="form-buttons">
      <ol ref={list}>
        {buttons.map((button, i) => {
          const name = t('form.buttonNumber', { number: i + 1 })
          return (
            <li key={button.key}>
              <fieldset>
                <legend>
                  <bdi>{name}</bdi>: {t(`button.${button.type}`)}
                </legend>
                <OneButton
                  button={button}
                  field={`${field}.buttons.${i}`}
                  onChange={next => onChange(buttons.with(i, next))}
                />
              </fieldset>
              <div className="form-button-tools">
                <button
                  type="button"
                  className="icon-button"
                  disabled={i === 0}
                  aria-label={t('form.up', { name })}
                  title={t('form.upShort')}
                  onClick={() => onChange(moved(buttons, i, i - 1))}
                >
                  <Mark name="up" />
                </button>
                <button
                  type="button"
                  className="icon-button"
                  disabled={i === buttons.length - 1}
                  aria-label={t('form.down', { name })}
                  title={t('form.downShort')}
                  onClick={() => onChange(moved(buttons, i, i + 1))}
                >
                  <Icon name="down" />
                </button>
                <button
                  type="button"
                  className="icon-button"
                  aria-label={t('form.remove', { name })}
                  title={t('form.removeShort')}
                  onClick={() => onChange(buttons.filter(one => one !== button))}
                >
                  <Icon name="trash" />
                </button>
              </div>
            </li>
          )
        })}
      </ol>
      <GroupFault field={`${field}.buttons`} />
      {buttons.length < max ? (
        <Menu
          label={t('form.addButton')}
          side="below-start"
          className="button"
          button={
            <>
              <Icon name="plus" />
              {t('form.addButton')}
            </>
          }
        >
          {() =>
            types.map(type => (
              <MenuItem key={type} onClick={() => add(type)}>
                {t(`button.${type}`)}
              </MenuItem>
            ))
          }
        </Menu>
      ) : (
        <p className="field-hint">{t('form.buttonsFull', { max })}</p>
      )}
    </div>
  )
}
