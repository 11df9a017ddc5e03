import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { useFacts } from '#client/app/facts.ts'
import type { ImportFound } from '#shared/imports/found.ts'
import { shortDate } from '#shared/kernel/time.ts'
import { Figures } from './figures.tsx'

/** The first and last day of the messages found, in the time zone of the file. */
function daysText(t: TFunction<'imports'>, { from, to }: ImportFound, language: 'es' | 'en'): string {
  const day = (wall: string | null) => (wall ? shortDate(`${wall}Z`, language, 'UTC') : '')
  const [first, last] = [day(from), day(to)]
  return first === last ? t('found.day', { from: first }) : t('found.days', { from: first, to: last })
}

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
