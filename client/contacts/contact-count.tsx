import { useTranslation } from 'react-i18next'
import { useOptionalAnswer } from '#client/app/queries/use-answer.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { countText } from '#client/ui/text/count.ts'
import { type ContactFilter, countQuery } from './queries.ts'

/** How many contacts the filters list. Nothing until they are counted. */
export function ContactCount({ filter }: { filter: ContactFilter }) {
  const { t, i18n } = useTranslation('contacts')
  const answer = useOptionalAnswer(countQuery(useOrg().slug, filter))
  const shown = answer && countText(answer.count + Number(answer.isMore), answer.count, i18n.language)
  return (
    <span className="contact-count" role="status">
      {answer ? t('total', { count: answer.count, shown }) : null}
    </span>
  )
}
