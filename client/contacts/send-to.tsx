import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useWork } from '#client/app/calls/use-work.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { newDraftSteps } from '#shared/bulk-sends/drafts.ts'
import { maxChatsAtOnce } from '#shared/inbox/chat-changes.ts'
import { paths } from '#shared/kernel/paths.ts'

/** Begins a bulk send to these numbers: as a draft where they are too many for an address. */
export function SendTo({ numbers }: { readonly numbers: readonly string[] }) {
  const { t } = useTranslation('contacts')
  const { slug } = useOrg()
  const api = useApi()
  const navigate = useNavigate()
  const failureText = useFailureText()
  const [isCreating, work] = useWork()
  const className = 'button button-primary contact-selection-send'
  const content = (
    <>
      <Icon name="send" />
      {t('select.send')}
    </>
  )
  if (numbers.length <= maxChatsAtOnce)
    return (
      <Link className={className} to={paths.bulkTo(slug, numbers)}>
        {content}
      </Link>
    )
  const begin = () =>
    work(async () => {
      try {
        const steps = newDraftSteps(numbers.map(number => `+${number}`).join(','))
        const { id } = await api.bulkDrafts.createDraft({ body: { steps } })
        await navigate(paths.bulkDraft(slug, id))
      } catch (error) {
        toast(failureText(error), { kind: 'error' })
      }
    })
  return (
    <button type="button" className={className} aria-disabled={isCreating} onClick={() => isCreating || begin()}>
      {content}
    </button>
  )
}
