import { useTranslation } from 'react-i18next'
import { useFacts } from '#client/app/facts.ts'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { ChatImport } from '#shared/imports/api.ts'
import { Figures } from './figures.tsx'
import { LeftOut } from './left-out.tsx'

/** Counts of what was imported and what was left out. */
export function Report({ one }: { readonly one: ChatImport }) {
  const { t } = useTranslation('imports')
  const { language } = useFacts()
  const number = new Intl.NumberFormat(language)
  const { messages, files, contacts, existing } = one.taken
  return (
    <>
      <p className="import-headline line">
        <Icon name="tick" />
        {messages || !existing
          ? t('report.messages', { count: messages, n: number.format(messages) })
          : t('report.nothing')}
      </p>
      <Figures
        of={[
          existing ? { label: t('figure.existing'), value: number.format(existing) } : null,
          { label: t('figure.files'), value: number.format(files) },
          { label: t('figure.newContacts'), value: number.format(contacts) },
        ]}
      />
      <LeftOut one={one} />
    </>
  )
}
