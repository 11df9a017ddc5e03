import { useTranslation } from 'react-i18next'
import { Field } from '#client/ui/controls/field.tsx'
import { derivedSsoEndpoints } from '#shared/auth/sso.ts'
import { addressFields, type SsoDraft } from './draft.ts'

interface SsoAddressesProps {
  readonly draft: SsoDraft
  /** Undefined: not checked yet. */
  readonly isPublished: boolean | undefined
  readonly isFinding: boolean
  onChange(next: Partial<SsoDraft>): void
  onFind(): void
}

/** A provider's addresses: collapsed if it publishes them, otherwise open for review. */
export function SsoAddresses({ draft, isPublished, isFinding, onChange, onFind }: SsoAddressesProps) {
  const { t } = useTranslation('admin')
  const domain = draft.domain.trim() || 'empresa.com'
  const examples: Record<(typeof addressFields)[number], string> = {
    issuer: `https://${domain}`,
    ...derivedSsoEndpoints(domain),
  }
  const summary = () => {
    if (isFinding) return t('sso.finding')
    if (isPublished === undefined) return t('sso.addresses')
    return isPublished ? t('sso.found') : t('sso.notFound')
  }
  return (
    <details className="sso-addresses" key={String(isPublished)} open={isPublished === false}>
      <summary>
        <span role="status">{summary()}</span>
      </summary>
      <div className="stack">
        {addressFields.map(field => (
          <Field
            key={field}
            label={t(`sso.${field}`)}
            name={field}
            type="url"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={2048}
            placeholder={examples[field]}
            hint={field === 'issuer' ? t('sso.issuerHint') : undefined}
            value={draft[field]}
            onChange={({ target }) => onChange({ [field]: target.value })}
          />
        ))}
        <button type="button" className="button" aria-disabled={isFinding} onClick={() => isFinding || onFind()}>
          {t('sso.find')}
        </button>
      </div>
    </details>
  )
}
