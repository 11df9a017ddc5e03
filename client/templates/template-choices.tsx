import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { queryFor } from '#client/app/queries/queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { isComposing } from '#client/ui/controls/composing.ts'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { walkByArrows } from '#client/ui/controls/walk-by-arrows.ts'
import { paths } from '#shared/kernel/paths.ts'
import type { Template } from '#shared/templates/api.ts'
import { isMetaSample } from '#shared/templates/samples.ts'
import { sendingObstacle } from '#shared/templates/sending.ts'
import { statusApproved } from '#shared/templates/words.ts'
import { BodySnippet } from './body-snippet.tsx'
import type { KnownContact } from './contact-values.ts'
import { syncQuery } from './queries.ts'
import { isSendable } from './send-values.ts'
import { useTemplateEvents } from './use-template-events.ts'
import { LanguageName } from './words.tsx'
import './send-dialog.css'

const firstPage = (org: string, search: string) =>
  queryFor(org, 'templates.list', { query: { status: statusApproved, ...(search ? { search } : {}) } })

const samplesLast = (templates: readonly Template[]): readonly Template[] => [
  ...templates.filter(({ name }) => !isMetaSample(name)),
  ...templates.filter(({ name }) => isMetaSample(name)),
]

/** Approved templates to choose from, with search. */
export function TemplateChoices({
  canSend: canBeSent = isSendable,
  priceOf,
  contact,
  isFirstField = true,
  onHighlight,
  onChoose,
}: {
  /** True if the template may be chosen. Default: if it can be sent from a chat. */
  canSend?: (components: Template['components']) => boolean
  /** The price of one message of a category, in words. */
  priceOf?: (category: string) => string | undefined
  /** The recipient, if known: the texts are shown with their values. */
  contact?: KnownContact | undefined
  /** True if the search field gets the focus. */
  isFirstField?: boolean
  /** Called with the template that is pointed at or focused. Undefined: with none any more. */
  onHighlight?: (template: Template | undefined) => void
  onChoose: (template: Template) => void
}) {
  const { t } = useTranslation('templates')
  const { slug } = useOrg()
  const [typed, setTyped] = useState('')
  const wanted = typed.trim().slice(0, 200)
  const search = useDeferredValue(wanted)
  /** The search for which Enter was pressed; its matches may still be on their way. */
  const [enteredFor, setEnteredFor] = useState<string>()
  const { data, isError, isPending, isPlaceholderData } = useQuery({
    ...firstPage(slug, search),
    placeholderData: keepPreviousData,
  })
  const { data: sync } = useQuery(syncQuery(slug))
  useTemplateEvents(slug)
  const choices = samplesLast(data?.items ?? []).map(template => {
    const obstacle = sendingObstacle(template.components)
    return { template, obstacle, canSend: !obstacle && canBeSent(template.components) }
  })
  const areMatchesShown = search === wanted && !isPending && !isPlaceholderData
  // Enter chooses the first match once the matches are shown. Typing more takes it back.
  useEffect(() => {
    if (!enteredFor || enteredFor !== wanted || !areMatchesShown) return
    setEnteredFor(undefined)
    const first = choices.find(({ canSend }) => canSend)
    if (first) onChoose(first.template)
  })
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the field and the buttons inside
    <div onKeyDown={walkByArrows}>
      <Field
        label={t('send.search')}
        type="search"
        autoFocus={isFirstField}
        autoComplete="off"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={event => {
          if (event.key !== 'Enter' || isComposing(event.nativeEvent)) return
          event.preventDefault()
          setEnteredFor(wanted)
        }}
      />
      {isError ? <Fault>{t('send.failed')}</Fault> : null}
      {isPending && !isError ? <p role="status">{t('send.loading')}</p> : null}
      {data && !data.items.length ? (
        <p className="send-none" role="status">
          {t(search ? 'send.noMatch' : 'send.none')}{' '}
          {search ? null : <Link to={paths.templates(slug)}>{t('send.toTemplates')}</Link>}
        </p>
      ) : null}
      <ul className="send-list" aria-label={t('send.list')} onPointerLeave={() => onHighlight?.(undefined)}>
        {choices.map(({ template, obstacle, canSend }) => (
          <li key={template.id}>
            <button
              type="button"
              disabled={!canSend}
              onPointerEnter={() => onHighlight?.(template)}
              onFocus={() => onHighlight?.(template)}
              onClick={() => onChoose(template)}
            >
              <b className="cut" dir="auto">
                {template.name}
              </b>
              <small>
                {[t(`category.${template.category}`), priceOf?.(template.category)].filter(Boolean).join(' · ')}
                {sync && template.language !== sync.mainLanguage ? (
                  <>
                    {' · '}
                    <LanguageName code={template.language} />
                  </>
                ) : null}
              </small>
              <span className="send-snippet small">
                {canSend ? (
                  <BodySnippet template={template} contact={contact} />
                ) : (
                  t(obstacle ? `fault.${obstacle}` : 'send.notFromHere')
                )}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {data?.hasMore ? <p className="field-hint">{t('send.more')}</p> : null}
    </div>
  )
}
