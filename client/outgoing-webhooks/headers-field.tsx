import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Fault } from '#client/ui/controls/field.tsx'
import { webhookLimits } from '#shared/outgoing-webhooks/api.ts'
import type { TypedHeader } from './draft.ts'

interface HeadersFieldProps {
  /** Names of the stored headers. Their values are not known here. */
  readonly stored: readonly string[]
  /** Undefined: the stored ones stay. */
  readonly headers: readonly TypedHeader[] | undefined
  readonly fault: string | undefined
  onChange(headers: readonly TypedHeader[]): void
}

/** Additional headers of each delivery. Stored ones can only be replaced all together. */
export function HeadersField({ stored, headers, fault, onChange }: HeadersFieldProps) {
  const { t } = useTranslation('integrations')
  const nextKey = useRef(0)
  const add = (known: readonly TypedHeader[]) => {
    nextKey.current += 1
    onChange([...known, { key: nextKey.current, name: '', value: '' }])
  }
  const set = (key: number, part: Partial<TypedHeader>) =>
    onChange((headers ?? []).map(one => (one.key === key ? { ...one, ...part } : one)))
  return (
    <details className="webhook-headers" open={stored.length > 0 || Boolean(headers?.length) || fault !== undefined}>
      <summary>{t('hooks.headers')}</summary>
      <p className="field-hint">{t('hooks.headersHint')}</p>
      {headers === undefined ? (
        <>
          <p>
            {stored.map(name => (
              <code key={name} dir="auto">
                {name}
              </code>
            ))}
          </p>
          <button type="button" className="button" onClick={() => add([])}>
            {t('hooks.replaceHeaders')}
          </button>
        </>
      ) : (
        <>
          {headers.map(({ key, name, value }, i) => (
            <div key={key} className="webhook-header field">
              <input
                aria-label={t('hooks.headerName', { place: i + 1 })}
                autoComplete="off"
                maxLength={webhookLimits.headerName}
                value={name}
                onChange={({ target }) => set(key, { name: target.value })}
              />
              <input
                aria-label={t('hooks.headerValue', { place: i + 1 })}
                autoComplete="off"
                maxLength={webhookLimits.headerValue}
                value={value}
                onChange={({ target }) => set(key, { value: target.value })}
              />
              <button
                type="button"
                className="button"
                aria-label={t('hooks.removeHeader', { place: i + 1 })}
                onClick={() => onChange(headers.filter(one => one.key !== key))}
              >
                ×
              </button>
            </div>
          ))}
          {headers.length < webhookLimits.headers ? (
            <button type="button" className="button" onClick={() => add(headers)}>
              {t('hooks.addHeader')}
            </button>
          ) : null}
        </>
      )}
      {fault ? <Fault>{fault}</Fault> : null}
    </details>
  )
}
