import { useTranslation } from 'react-i18next'
import { useFacts } from '#client/app/facts.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { ChatImport } from '#shared/imports/api.ts'
import { refusedListed } from '#shared/imports/limits.ts'

/** Counts the rows that are left out, by reason, and links the CSV that lists them. */
export function LeftOut({ one }: { readonly one: ChatImport }) {
  const { t } = useTranslation('imports')
  const { language } = useFacts()
  const { slug } = useOrg()
  if (!one.refused) return null
  const number = new Intl.NumberFormat(language)
  return (
    <div className="import-left">
      <h3>{t(one.state === 'done' ? 'left.done' : 'left.title')}</h3>
      <ul>
        {one.reasons.map(({ why, count }) => (
          <li key={why}>
            <b>{number.format(count)}</b>
            {t(`refusal.${why}`)}
          </li>
        ))}
      </ul>
      <a
        className="button"
        href={`/api/imports/${one.id}/refused?organization=${encodeURIComponent(slug)}`}
        download
        aria-describedby={one.refused > refusedListed ? `${one.id}-first` : undefined}
      >
        <Icon name="download" />
        {t('left.csv')}
      </a>
      {one.refused > refusedListed ? (
        <p id={`${one.id}-first`} className="field-hint">
          {t('left.first', { count: refusedListed })}
        </p>
      ) : null}
    </div>
  )
}
