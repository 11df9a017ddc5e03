import { useTranslation } from 'react-i18next'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { templateLimits as limits, otpTypes } from '#shared/templates/components.ts'
import { CountedField, GroupFault } from './counted-field.tsx'
import type { CodeForm } from './form.ts'
import { Options, Section } from './form-section.tsx'

const at = 'BUTTONS.buttons.0'

interface CodeFieldsProps {
  readonly code: CodeForm
  change(code: CodeForm): void
}

function Apps({ code, change }: CodeFieldsProps) {
  const { t } = useTranslation('templates')
  const { apps } = code
  const set = (i: number, key: 'package_name' | 'signature_hash', value: string) =>
    change({ ...code, apps: apps.map((app, here) => (here === i ? { ...app, [key]: value } : app)) })
  return (
    <>
      {apps.map((app, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two apps may be spelled alike while they are typed
        <div key={i} className="form-pair stack-l">
          <CountedField
            label={t('form.package')}
            field={`${at}.supported_apps.${i}.package_name`}
            value={app.package_name}
            isCode
            placeholder="com.ejemplo.app"
            onChange={value => set(i, 'package_name', value)}
          />
          <CountedField
            label={t('form.hash')}
            field={`${at}.supported_apps.${i}.signature_hash`}
            value={app.signature_hash}
            isCode
            max={11}
            onChange={value => set(i, 'signature_hash', value)}
          />
        </div>
      ))}
      <GroupFault field={`${at}.supported_apps`} />
      <div className="card-buttons">
        {apps.length < limits.supportedApps ? (
          <button
            type="button"
            className="button"
            onClick={() => change({ ...code, apps: [...apps, { package_name: '', signature_hash: '' }] })}
          >
            <Icon name="plus" />
            {t('form.addApp')}
          </button>
        ) : null}
        {apps.length > 1 ? (
          <button type="button" className="button" onClick={() => change({ ...code, apps: apps.slice(0, -1) })}>
            {t('form.removeApp')}
          </button>
        ) : null}
      </div>
    </>
  )
}

/** A one-time code: Meta writes the text; these are its options. */
export function CodeFields({ code, change }: CodeFieldsProps) {
  const { t } = useTranslation('templates')
  return (
    <>
      <Section title={t('form.body')} hint={t('form.codeBodyHint')}>
        <label className="form-check">
          <input
            type="checkbox"
            checked={code.recommends}
            onChange={({ target }) => change({ ...code, recommends: target.checked })}
          />
          {t('form.recommends')}
        </label>
        <CountedField
          label={t('form.minutes')}
          field="FOOTER.code_expiration_minutes"
          value={code.minutes}
          inputMode="numeric"
          hint={t('form.minutesHint', { min: limits.minCodeMinutes, max: limits.maxCodeMinutes })}
          onChange={minutes => change({ ...code, minutes })}
        />
      </Section>
      <Section title={t('form.codeButton')} hint={t('form.codeButtonHint')}>
        <Options
          label={t('form.codeButton')}
          className="template-choices"
          value={code.type}
          options={otpTypes.map(value => ({ value, label: t(`otp.${value}`), hint: t(`otp.hint.${value}`) }))}
          onChoose={type => change({ ...code, type })}
        />
        <CountedField
          label={t('form.copyLabel')}
          field={`${at}.text`}
          value={code.text}
          max={limits.buttonText}
          hint={t('form.labelHint')}
          onChange={text => change({ ...code, text })}
        />
        {code.type === 'COPY_CODE' ? null : (
          <>
            <CountedField
              label={t('form.fillLabel')}
              field={`${at}.autofill_text`}
              value={code.autofill}
              max={limits.buttonText}
              hint={t('form.labelHint')}
              onChange={autofill => change({ ...code, autofill })}
            />
            <Apps code={code} change={change} />
          </>
        )}
        {code.type === 'ZERO_TAP' ? (
          <label className="form-check">
            <input
              type="checkbox"
              data-field={`${at}.zero_tap_terms_accepted`}
              checked={code.accepted}
              onChange={({ target }) => change({ ...code, accepted: target.checked })}
            />
            {t('form.terms')}
          </label>
        ) : null}
        <GroupFault field={`${at}.zero_tap_terms_accepted`} />
      </Section>
    </>
  )
}
