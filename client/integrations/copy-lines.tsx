import { useTranslation } from 'react-i18next'
import { CopyButton } from '#client/ui/controls/copy-button.tsx'

/** Values to copy, each under its name. */
export function CopyLines({
  lines,
}: {
  readonly lines: readonly { readonly label: string; readonly value: string }[]
}) {
  const { t } = useTranslation()
  return (
    <dl className="copy-lines">
      {lines.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <code>{value}</code>
            <CopyButton
              value={value}
              label={t('webhook.copy', { what: label })}
              done={t('webhook.copied')}
              failed={t('webhook.copyFailed')}
            />
          </dd>
        </div>
      ))}
    </dl>
  )
}
