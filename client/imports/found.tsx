import { useTranslation } from 'react-i18next'
import { useFacts } from '#client/app/facts.ts'
import type { ImportFound } from '#shared/imports/found.ts'
import { daysText } from './days.ts'
import { Figures } from './figures.tsx'

/** The numbers of chats, messages, contacts and files that the file holds. */
export function Found({ found }: { readonly found: ImportFound }) {
  const { t } = useTranslation('imports')
  const { language } = useFacts()
  const number = new Intl.NumberFormat(language)
  const { chats, messages, contacts, files, missingFiles } = found
  return (
    <Figures
      of={[
        found.archive ? { label: t('figure.chats'), value: number.format(chats) } : null,
        {
          label: t('figure.messages'),
          value: number.format(messages),
          note: found.from ? daysText(t, found, language) : undefined,
        },
        found.archive ? { label: t('figure.contacts'), value: number.format(contacts) } : null,
        {
          label: t('figure.files'),
          value: number.format(files),
          note: missingFiles ? t('found.missing', { count: missingFiles }) : undefined,
        },
      ]}
    />
  )
}
